import { copyFile, mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Builds the type checker's folder. TypeScript stays a package, because it looks for its program beside itself. */
export async function buildChecker(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [path('src/checker/main.ts')],
    outfile: `${folder}/checker.mjs`,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['typescript'],
    logLevel: 'error',
  });
  await copyFile(path('globals/sandbox.d.ts'), `${folder}/globals.d.ts`);
}

function path(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
