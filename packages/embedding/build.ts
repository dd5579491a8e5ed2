import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Builds the program of the process that runs a language model. The model itself is installed by users. */
export async function buildEmbedder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [fileURLToPath(new URL('src/process/main.ts', import.meta.url))],
    outfile: `${folder}/embedder.mjs`,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
}
