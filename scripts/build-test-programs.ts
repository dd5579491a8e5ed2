import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Builds the programs of a package's tests (`*.worker.ts` and `*.program.ts` in `test`) into its `dist/test`. */
export async function buildTestPrograms(packageFolder: string): Promise<void> {
  const folder = join(packageFolder, 'test');
  const files = await readdir(folder, { recursive: true });
  await build({
    entryPoints: files
      .filter((file) => /\.(worker|program)\.ts$/.test(file))
      .map((file) => join(folder, file)),
    outbase: folder,
    outdir: join(packageFolder, 'dist', 'test'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['@electric-sql/pglite', 'pg-native'],
    // `pg` and `tar` are CommonJS and load Node's modules with `require`.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
}
