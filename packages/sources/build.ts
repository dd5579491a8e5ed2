import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Builds the folder of the reader process: one program, which may read no other file. */
export async function buildReader(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [fileURLToPath(new URL('src/reader/main.ts', import.meta.url))],
    outfile: `${folder}/reader.cjs`,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'error',
  });
}
