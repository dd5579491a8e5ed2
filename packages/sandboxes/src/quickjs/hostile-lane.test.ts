import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForOtherLane } from '../../test/other-lane.ts';
import { outcomeOf } from '../sandbox.suite.ts';
import { createQuickJsSandbox } from './sandbox.ts';

/** Lanes whose program was taken over: whatever they send, the server refuses it, ends them and lives on. */
const folder = folderForOtherLane();

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
])('%s', async (_name, bytes) => {
  const program = `const fs = require('node:fs'); fs.writeSync(3, ${bytes}); setTimeout(() => process.exit(1), 300);`;
  await writeFile(join(folder.path, 'lane.cjs'), program);
  const sandbox = await createQuickJsSandbox({ folder: folder.path, lanes: { warm: 1, most: 1 } });
  expect(await outcomeOf(sandbox, 'return 1')).toMatchObject({ type: 'crashed' });
  sandbox.close();
});
