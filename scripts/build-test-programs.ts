import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Builds the programs of a package's tests (`test/*.worker.ts`, `test/*.program.ts`) into its `dist/test`. */
export async function buildTestPrograms(packageFolder: string): Promise<void> {
  const files = await readdir(join(packageFolder, 'test'));
  await build({
    entryPoints: files
      .filter((file) => /\.(worker|program)\.ts$/.test(file))
      .map((file) => join(packageFolder, 'test', file)),
    outdir: join(packageFolder, 'dist', 'test'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['@electric-sql/pglite'],
    // `pg` and `tar` are CommonJS inside and ask for Node's own modules with `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
}
