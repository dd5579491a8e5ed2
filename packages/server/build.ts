import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const programs = {
  'json-worker': 'src/http/body/json-worker.ts',
  'print-worker': 'src/printing/print-worker.ts',
  'index-worker': 'src/discovery/index-worker.ts',
};

/** Makes the programs of the server's threads. */
export async function buildServerThreads(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: Object.fromEntries(
      Object.entries(programs).map(([name, file]) => [name, fileURLToPath(new URL(file, import.meta.url))]),
    ),
    outdir: folder,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
}
