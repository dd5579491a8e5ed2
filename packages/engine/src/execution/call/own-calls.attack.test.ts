import { afterAll, beforeAll, expect, test } from 'vitest';
import { deepSchema } from '../../../test/deep-tool.ts';
import { TestEngine } from '../../../test/test-engine.ts';
import { samePrintThread } from '../../catalog/signature/tool-printer.ts';

const url = 'https://acme.test/openapi.json';
let host: TestEngine;
/** The calls of Executor's own tools at work, whenever one of them prints. */
const atWork: number[] = [];

beforeAll(async () => {
  host = await TestEngine.start({
    printThread: {
      print(job) {
        atWork.push(host.engine.resources.held.ownCalls.usage().used);
        return samePrintThread.print(job);
      },
    },
  });
  host.shelf.put(url, { title: 'Acme', tools: [{ name: 'reports.file', inputSchema: deepSchema }] });
  await host.engine.sources.add(host.owner, { url });
});

afterAll(() => host.close());

const describe = 'tools.describe.tool({ path: "acme.reports.file", depth: 20 })';

test("A loop of Executor's own tools uses up the CPU time of its run", async () => {
  const run = await host.run(`for (;;) await ${describe}`, { limits: { cpuMs: 300 }, waitMs: 60_000 });
  expect(run).toMatchObject({ status: 'failed', error: { code: 'timedOut' } });
  expect(run.error?.message).toContain("Executor's own tools");
  expect(run.usage?.cpuMs).toBeGreaterThanOrEqual(300);
});

test("Concurrent calls of Executor's own tools are computed one at a time for each key", async () => {
  atWork.length = 0;
  const run = await host.run(
    `return (await Promise.all(Array.from({ length: 8 }, () => ${describe}))).length`,
  );
  expect(run).toMatchObject({ status: 'completed', result: 8 });
  expect(atWork).toEqual(Array(8).fill(1));
});

test('A call that waits for a turn ends with its run', async () => {
  const hold = host.engine.resources.held.ownCalls.takeAnyway({ ...account(), kind: 'person' }, 4);
  const { id } = await host.run(`return ${describe}`, { waitMs: 0 });
  await host.engine.executions.cancel(host.owner, id);
  expect(await host.wait(id)).toMatchObject({ status: 'cancelled' });
  hold.release();
  expect(host.engine.resources.held.ownCalls.usage()).toMatchObject({ used: 0, waiting: 0 });
});

const account = () => ({ key: 'somebody', workspaceId: host.owner.workspaceId });
