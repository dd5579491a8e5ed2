import { ChunkCache, ToolPack } from '@executor/engine';
import { expect, test } from 'vitest';
import { deepTools } from '../../../engine/test/deep-tool.ts';
import { printThread } from './print-thread.ts';

const program = new URL('../../dist/print-worker.js', import.meta.url);
const path = 'acme.reports.file';

async function job() {
  const tools = deepTools(path);
  const pack = await ToolPack.open(tools, new ChunkCache());
  const at = pack.addressOf(path) ?? [0, 0];
  return { tools, path, at, request: { signature: { depth: 3 }, example: true } } as const;
}

test('Tools are printed on a thread, which starts again after it was idle', async () => {
  const thread = printThread(program, { idleMs: 1 });
  const first = await thread.print(await job());
  expect(first.printed?.signature).toContain('type Level1');
  expect(first.ms).toBeGreaterThan(0);
  expect((await thread.print(await job())).printed).toEqual(first.printed);
});

test('Jobs of many sources are printed in their order', async () => {
  const thread = printThread(program);
  const jobs = await Promise.all(Array.from({ length: 12 }, job));
  const outcomes = await Promise.all([...jobs, ...jobs].map((one) => thread.print(one)));
  expect(new Set(outcomes.map(({ printed }) => JSON.stringify(printed))).size).toBe(1);
});

test('A job that takes too long is given up with its thread, and the next one is printed', async () => {
  const thread = printThread(program, { deadlineMs: 1 });
  expect((await thread.print(await job())).printed).toBeUndefined();
  expect((await printThread(program).print(await job())).printed).toBeDefined();
});

test('A source that cannot be read has no text', async () => {
  const broken = { ...(await job()), tools: [new Uint8Array([1, 2, 3])] };
  expect((await printThread(program).print(broken)).printed).toBeUndefined();
});
