import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { EmbeddingJob, TextVector } from '@executor/engine';
import { describe, expect, onTestFinished, test } from 'vitest';
import { builtFolder, testModelFolder } from '../test/folders.ts';
import { createEmbedder, type EmbedderOptions, type ProcessEmbedder } from './process-embedder.ts';

/** The limits are longer than those of users, because other tests may keep the machine busy. */
const request: EmbeddingJob = { type: 'request', owner: 'key a', waitMs: 120_000 };
const background: EmbeddingJob = { type: 'background' };

function embedderWith(options: Partial<EmbedderOptions> = {}) {
  const problems: unknown[] = [];
  const embedder = createEmbedder({
    model: 'minilm',
    folder: builtFolder,
    modelFolder: testModelFolder,
    onProblem: (_, { reason }) => problems.push(reason),
    ...options,
  });
  onTestFinished(() => embedder.close());
  return { embedder, problems };
}

describe('the language model', () => {
  test('gives texts of similar meanings similar vectors', async () => {
    const { embedder } = embedderWith();
    const texts = ['bill a customer', 'Creates an invoice', 'Deletes a branch'];
    const [bill, invoice, branch] = (await embedder.embed(texts, request)) as [
      TextVector,
      TextVector,
      TextVector,
    ];
    expect(cosine(bill, invoice)).toBeGreaterThan(cosine(bill, branch) + 0.2);
    expect(bill.length).toBe(384);
    const [again] = (await embedder.embed(['bill a customer'], background)) ?? [];
    expect(again).toEqual(bill);
  });

  test('reads any text', async () => {
    const { embedder } = embedderWith();
    const texts = ['', '\u0000\ud800', '天气预报', 'a'.repeat(100_000), '🙂 '.repeat(1_000)];
    expect((await embedder.embed(texts, request))?.map(({ length }) => length)).toEqual([
      384, 384, 384, 384, 384,
    ]);
  });

  test('has a lower priority than the server', async () => {
    const { embedder } = embedderWith();
    await embedder.embed(['a text'], request);
    expect(getPriority(embedder.pid)).toBeGreaterThan(getPriority());
  });

  test('serves a request before background work that came first', async () => {
    const { embedder } = embedderWith();
    const order: string[] = [];
    const texts = Array.from({ length: 40 }, (_, number) => `Text ${number}`);
    const work = embedder.embed(texts, background).then((vectors) => order.push(`${vectors?.length} texts`));
    await embedder.embed(['a request'], request).then(() => order.push('request'));
    await work;
    expect(order).toEqual(['request', '40 texts']);
  });

  test('is not waited for longer than a request allows', async () => {
    const { embedder, problems } = embedderWith();
    expect(await embedder.embed(['a text'], { ...request, waitMs: 0 })).toBeUndefined();
    expect(await embedder.embed(['a text'], request)).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  test('answers at most ten requests of a key that wait', async () => {
    const { embedder } = embedderWith();
    const [first, ...others] = Array.from({ length: 13 }, () => embedder.embed(['a text'], request));
    const answers = await Promise.all([first, ...others]);
    expect(answers.filter((vectors) => vectors === undefined)).toHaveLength(2);
  });
});

describe('the process of the model', () => {
  test('ends when it is idle, and starts again', async () => {
    const { embedder } = embedderWith({ idleMs: 1 });
    await embedder.embed(['a text'], request);
    await expect.poll(() => embedder.pid).toBeUndefined();
    expect(await embedder.embed(['a text'], request)).toHaveLength(1);
  });

  test('ends with its parent, even if that is killed', async () => {
    const program = fileURLToPath(new URL('../test/owner.program.ts', import.meta.url));
    const tsx = fileURLToPath(new URL('../../../node_modules/tsx/dist/loader.mjs', import.meta.url));
    const parent = spawn(process.execPath, ['--import', tsx, program, builtFolder, testModelFolder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [line] = await once(createInterface(parent.stdout), 'line');
    expect(isRunning(Number(line))).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(Number(line))).toBe(false);
  });

  test('is replaced after a crash, and the crash is reported once', async () => {
    const { embedder, problems } = embedderWith({ retryMs: 1 });
    await embedder.embed(['a text'], request);
    await crash(embedder, () => embedder.embed(['a text '.repeat(200)], background));
    expect(problems).toEqual(['its process ended (SIGKILL)']);
    await expect.poll(() => embedder.embed(['a text'], request)).toHaveLength(1);
    expect(problems).toHaveLength(1);
  });

  test('is replaced if it was killed while it had no work', async () => {
    const { embedder, problems } = embedderWith();
    await embedder.embed(['a text'], request);
    const { pid = 0 } = embedder;
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => embedder.pid).toBeUndefined();
    expect(await embedder.embed(['a text'], request)).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  test('is replaced if it needs too much memory', async () => {
    const { embedder, problems } = embedderWith({ megabytes: 1 });
    expect(await embedder.embed(['a text'], request)).toHaveLength(1);
    expect(embedder.pid).toBeUndefined();
    expect(await embedder.embed(['a text'], request)).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  test('that cannot load its model is reported once, and pauses grow', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'executor-no-model-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { embedder, problems } = embedderWith({ modelFolder: folder, retryMs: 60_000 });
    const jobs = [embedder.embed(['a text'], request), embedder.embed(['a text'], background)];
    expect(await Promise.all(jobs)).toEqual([undefined, undefined]);
    expect(await embedder.embed(['a text'], request)).toBeUndefined();
    expect(embedder.pid).toBeUndefined();
    expect(problems).toEqual([expect.stringContaining('engine.cjs')]);
  });

  test('that hangs is killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'executor-hanging-model-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'embedder.mjs'), 'process.on("message", () => {});');
    const { embedder, problems } = embedderWith({ folder, startMs: 1 });
    expect(await embedder.embed(['a text'], request)).toBeUndefined();
    expect(problems).toEqual(['it took too long']);
  });

  test('ends when the embedder is closed, and waiting jobs get no vectors', async () => {
    const { embedder, problems } = embedderWith();
    const jobs = [embedder.embed(['a text'], request), embedder.embed(['a text'], background)];
    embedder.close();
    expect(await Promise.all(jobs)).toEqual([undefined, undefined]);
    expect(await embedder.embed(['a text'], request)).toBeUndefined();
    expect(embedder.pid).toBeUndefined();
    expect(problems).toEqual([]);
  });
});

/** Kills the process while it works. */
async function crash(embedder: ProcessEmbedder, work: () => Promise<unknown>): Promise<void> {
  const working = work();
  process.kill(embedder.pid as number, 'SIGKILL');
  expect(await working).toBeUndefined();
}

function cosine(one: TextVector, other: TextVector): number {
  const dot = (a: TextVector, b: TextVector) =>
    a.reduce((sum, value, position) => sum + value * (b[position] as number), 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
