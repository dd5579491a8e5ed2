import { readFileSync } from 'node:fs';
import type { FromChecker, ToChecker } from '../messages.ts';
import { Checker } from './check.ts';
import { residentMegabytes } from './memory.ts';

/**
 * The program that checks types: `node checker.mjs`, with a channel to its parent. It is a process of its own, with TypeScript as its child,
 * because code can be written that takes for ever to check, or all memory; both are then killed together.
 */
const checker = new Checker(readFileSync(new URL('./globals.d.ts', import.meta.url), 'utf8'));
const maxMegabytes = Number(process.argv[2] ?? 1_024);
const lookMs = 50;

function send(message: FromChecker): void {
  process.send?.(message);
}

// Types can grow faster than anybody answers: what takes too much is not waited for. To look takes as long as a part of a check does.
let megabytes = 0;
setInterval(() => {
  megabytes = residentMegabytes();
  if (megabytes > maxMegabytes) process.exit(3);
}, lookMs).unref();

process.on('disconnect', () => process.exit(0));
// Reading its own declarations takes TypeScript longer than most checks: that is done before anybody's time counts.
await checker.check('', '');
process.on('message', async ({ id, code, declarations }: ToChecker) => {
  try {
    const problems = await checker.check(code, declarations);
    send({ type: 'checked', id, problems, megabytes });
  } catch (error) {
    send({ type: 'failed', id, message: error instanceof Error ? error.message : String(error) });
  }
});
send({ type: 'ready' });
