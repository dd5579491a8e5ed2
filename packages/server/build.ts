import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Makes the programs of the server's threads. */
export async function buildServerThreads(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [fileURLToPath(new URL('src/http/json-worker.ts', import.meta.url))],
    outfile: `${folder}/json-worker.js`,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
}
