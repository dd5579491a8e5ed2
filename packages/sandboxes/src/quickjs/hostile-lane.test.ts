import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtFolder } from '../../test/built-folder.ts';
import { outcomeOf } from '../sandbox.suite.ts';
import { createQuickJsSandbox } from './sandbox.ts';

/** Lanes whose program was taken over: whatever they send, the server refuses it, ends them and lives on. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'executor-hostile-lane-'));
  for (const file of ['quickjs.wasm', 'prelude.js', 'compiler.cjs'])
    await copyFile(join(builtFolder, file), join(folder, file));
});
afterAll(() => rm(folder, { recursive: true }));

const frame = (head: string, body = '') => {
  const total = 2 + head.length + body.length;
  return `Buffer.concat([Buffer.from([${total & 255}, ${(total >> 8) & 255}, 0, 0, ${head.length}, 0]), Buffer.from(${JSON.stringify(head + body)})])`;
};
const ready = frame('{"type":"ready","build":"b"}');

test.each([
  ['random bytes', 'require("node:crypto").randomBytes(1000)'],
  ['a frame of four gigabytes', 'Buffer.alloc(64, 255)'],
  ['a head that is not JSON', frame('{{{{')],
  [
    'a message of another run',
    `Buffer.concat([${ready}, ${frame('{"type":"call","run":99,"index":0,"path":"x"}', '{}')}])`,
  ],
  [
    'a call out of order',
    `Buffer.concat([${ready}, ${frame('{"type":"call","run":1,"index":5,"path":"x"}', '{}')}])`,
  ],
  [
    'pages that nobody asked for',
    `Buffer.concat([${ready}, ${frame('{"type":"restored","run":1,"ok":"yes"}')}])`,
  ],
  ['nothing, and ends', 'Buffer.alloc(0)'],
])('%s', async (_name, bytes) => {
  const program = `const fs = require('node:fs'); fs.writeSync(3, ${bytes}); setTimeout(() => process.exit(1), 300);`;
  await writeFile(join(folder, 'lane.cjs'), program);
  const sandbox = await createQuickJsSandbox({ folder, lanes: { warm: 1, most: 1 } });
  expect(await outcomeOf(sandbox, 'return 1')).toMatchObject({ type: 'crashed' });
  sandbox.close();
});
