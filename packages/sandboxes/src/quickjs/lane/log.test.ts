import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtFolder } from '../../../test/built-folder.ts';
import { record } from '../../sandbox.suite.ts';
import { createQuickJsSandbox, type QuickJsSandbox } from '../sandbox.ts';

let sandbox: QuickJsSandbox;
beforeAll(async () => {
  sandbox = await createQuickJsSandbox({ folder: builtFolder, lanes: { warm: 1, max: 1 } });
});
afterAll(() => sandbox.close());

describe('a log that is too long', () => {
  test('ends with a line that says so, and one that counts what is left out', async () => {
    const { logs } = await record(sandbox, 'for (let i = 0; i < 50; i++) console.log(""); return 1', {
      limits: { logBytes: 320 },
    });
    expect(logs.slice(0, 10).map(({ text }) => text)).toEqual(Array(10).fill(''));
    expect(logs.slice(10).map(({ level, text }) => [level, text])).toEqual([
      ['warn', 'The log may have 320 bytes; this line and all after it are left out.'],
      ['warn', 'The log was full: 40 lines are left out.'],
    ]);
  });

  test('counts also over the times that the run is put aside', async () => {
    const code =
      'for (let i = 0; i < 50; i++) { console.log("x".repeat(100)); if (i % 10 === 0) await sleep(1) }';
    const whole = await record(sandbox, code, { limits: { logBytes: 1_000 } });
    expect(whole.logs.at(-1)).toMatchObject({ text: 'The log was full: 43 lines are left out.' });
  });

  test('because of one line is cut there, and the lines after it are heard', async () => {
    const { logs } = await record(sandbox, 'console.log("ä".repeat(5e5)); console.log("after")', {
      limits: { logBytes: 8_000 },
    });
    expect(logs.map(({ text }) => text)).toEqual([`${'ä'.repeat(500)}… 999000 more bytes`, 'after']);
  });
});
