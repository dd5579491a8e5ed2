import { readFileSync } from 'node:fs';
import type { FromChecker, ToChecker } from '../messages.ts';
import { Checker } from './check.ts';
import { residentMegabytes } from './memory.ts';

/**
 * The type checker program: `node checker.mjs`, with an IPC channel to its parent. It is a separate process with
 * TypeScript as its child, because code can take forever to check or use all memory. Then both are killed together.
 */
const checker = new Checker(readFileSync(new URL('./globals.d.ts', import.meta.url), 'utf8'));
const maxMegabytes = Number(process.argv[2] ?? 1_024);
const pollMs = 50;

function send(message: FromChecker): void {
  process.send?.(message);
}

// Types can grow quickly, so memory is checked while TypeScript works. Reading it costs a fraction of a check.
let megabytes = 0;
setInterval(() => {
  megabytes = residentMegabytes();
  if (megabytes > maxMegabytes) process.exit(3);
}, pollMs).unref();

process.on('disconnect', () => process.exit(0));
// TypeScript loads its own declarations before the first deadline starts, because that takes longer than most checks.
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
