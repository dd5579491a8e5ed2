import { expect, test } from 'vitest';
import { deepTools } from '../../../test/deep-tool.ts';
import type { PrintJob } from '../../ports/print-thread.ts';
import type { Definitions, Tool } from '../../ports/source.ts';
import { ChunkCache } from '../chunk-cache.ts';
import { ToolPack } from '../tool-pack.ts';
import { printBriefly, printTool } from './print-tool.ts';
import { samePrintThread, ToolPrinter } from './tool-printer.ts';

const path = 'acme.reports.file';

async function deepTool(): Promise<Tool> {
  const pack = await ToolPack.open(deepTools(path), new ChunkCache());
  return pack.find(path) as Tool;
}

/** A printer, and the jobs that it gave to its thread. */
function watchedPrinter() {
  const jobs: PrintJob[] = [];
  const printer = new ToolPrinter({
    print(job) {
      jobs.push(job);
      return samePrintThread.print(job);
    },
  });
  return { printer, jobs };
}

/** The tool, and how often printing it reads a definition. */
async function countedTool() {
  const tool = await deepTool();
  const reads = { count: 0 };
  const definitions: Definitions = {
    tracksEvaluated: false,
    get(name) {
      reads.count += 1;
      return tool.definitions?.get(name);
    },
  };
  return { tool: { ...tool, definitions }, reads };
}

test('A deep signature is printed on another thread, and an ordinary one is not', async () => {
  const { printer, jobs } = watchedPrinter();
  const tool = await deepTool();
  await printer.print({ ...tool, inputSchema: { type: 'object' }, outputSchema: {} }, { signature: {} });
  expect(jobs).toHaveLength(0);
  await printer.print(tool, { signature: { depth: 20 } });
  expect(jobs).toHaveLength(1);
});

test("The server's thread gives a deep signature up after a few definitions", async () => {
  const { tool, reads } = await countedTool();
  expect(printBriefly(tool, { signature: { depth: 20 }, example: true })).toBeUndefined();
  expect(reads.count).toBeLessThan(300);
});

test.each([2, 5, 20, 1_000_000])('Depth %i does not raise the maximum length and cost', async (depth) => {
  const { tool, reads } = await countedTool();
  const { signature } = printTool(tool, { signature: { depth } });
  expect(signature?.length).toBeLessThanOrEqual(40_000);
  expect(reads.count).toBeLessThan(2_000);
});

test('A shortened signature says so, and how to get the rest', async () => {
  const { signature } = printTool(await deepTool(), { signature: { depth: 20 } });
  expect(signature).toContain(
    '// cut to its maximum length. describe.tool({ path, depth }) shows more of one tool',
  );
});

test('Where a text is printed does not change it', async () => {
  const { printer, jobs } = watchedPrinter();
  const tool = await deepTool();
  const request = { signature: { maxChars: 800 }, example: true } as const;
  const printed = await printer.print(tool, request);
  expect(printed).toEqual(printTool(tool, request));
  expect(await printer.print(tool, request)).toEqual(printed);
  expect(jobs.length).toBeLessThanOrEqual(1);
});
