import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWithoutLane } from '../../../test/lane-folder.ts';
import { createQuickJsSandbox } from '../sandbox.ts';

/** Compromised lanes. The server rejects whatever they send, ends them and continues. */
const folder = folderWithoutLane();
/** The compiled form of `return 1`. */
const program = { source: 'return 1', code: '(async () => {return 1\n})', head: 14 };

const frame = (head: string, body = '') => {
  const number = (value: number) => `${value & 255}, ${(value >> 8) & 255}, 0, 0`;
  const prefix = `${number(4 + head.length + body.length)}, ${number(head.length)}`;
  return `Buffer.concat([Buffer.from([${prefix}]), Buffer.from(${JSON.stringify(head + body)})])`;
};
const ready = frame('ready\t0\t0\t0\tb');

test.each([
  ['random bytes', 'require("node:crypto").randomBytes(1000)'],
  ['a frame of four gigabytes', 'Buffer.alloc(64, 255)'],
  ['a frame that ends within its head', 'Buffer.from([9, 0, 0, 0, 200, 0, 0, 0, 1, 2, 3, 4, 5])'],
  ['a head that is no message', frame('{{{{')],
  ['a message of another run', `Buffer.concat([${ready}, ${frame('call\t99\t0\t0\tx', '{}')}])`],
  ['a call out of order', `Buffer.concat([${ready}, ${frame('call\t1\t5\t0\tx', '{}')}])`],
  ['pages that nobody asked for', `Buffer.concat([${ready}, ${frame('restored\t1\tyes\t0\t')}])`],
  ['the end of a slice that cannot be', `Buffer.concat([${ready}, ${frame('slice\t1\t-5\t0\t')}])`],
  ['nothing, and ends', 'Buffer.alloc(0)'],
])('%s', (_name, bytes) => expectCrash(`fs.writeSync(3, ${bytes});`));

/** The server enforces the limits that a compromised lane ignores. */
const ended = (body: string) => frame('slice\t1\t0\t0\t{"type":"returned"}', body);
test.each([
  ['an input that is not JSON', frame('call\t1\t0\t0\tx', '{ not json')],
  ['an input beyond the limit', frame('call\t1\t0\t0\tx', `"${'x'.repeat(2_000)}"`)],
  ['an input with more parts than the limit', frame('call\t1\t0\t0\tx', '[[],[],[],[],[]]')],
  ['a path beyond the limit', frame(`call\t1\t0\t0\t${'x'.repeat(2_000)}`, '{}')],
  ['more calls than a run may make', several(11, (index) => `call\t1\t${index}\t0\tx`, '{}')],
  ['more calls than may be open', several(6, (index) => `call\t1\t${index}\t0\tx`, '{}')],
  ['a line of the log out of order', frame('log\t1\t5\t0\tlog', 'x')],
  ['more log than a run may have', several(60, (index) => `log\t1\t${index}\t0\tlog`, 'x')],
  ['a result that is not JSON', ended('{ not json')],
  ['a result beyond the limit', ended(`"${'x'.repeat(2_000)}"`)],
  ['a run that waits for nothing', frame('slice\t1\t0\t0\t')],
])('%s', (_name, bytes) =>
  expectCrash(`fs.writeSync(3, ${ready}); fs.readSync(3, Buffer.alloc(65536)); fs.writeSync(3, ${bytes});`),
);

function several(count: number, head: (index: number) => string, body: string): string {
  return `Buffer.concat([${Array.from({ length: count }, (_, index) => frame(head(index), body)).join(', ')}])`;
}

async function expectCrash(messages: string): Promise<void> {
  const lane = `const fs = require('node:fs'); ${messages} setTimeout(() => process.exit(1), 300);`;
  await writeFile(join(folder.path, 'lane.cjs'), lane);
  const bytes = { callBytes: 1_000, logBytes: 1_000, resultBytes: 1_000 };
  const limits = { calls: 10, outstandingCalls: 5, callParts: 5, ...bytes };
  const sandbox = await createQuickJsSandbox({ folder: folder.path, lanes: { warm: 1, max: 1 } });
  const request = { program, seed: 's', epoch: 1_000, limits };
  expect(await sandbox.run(request, { onCall() {} })).toMatchObject({ type: 'crashed' });
  sandbox.close();
}
