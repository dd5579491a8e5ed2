import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Makes the folder that the readers of documents run from: one program, which reads nothing else. */
export async function buildReader(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [fileURLToPath(new URL('src/openapi/reader/process/main.ts', import.meta.url))],
    outfile: `${folder}/reader.cjs`,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'error',
  });
}
