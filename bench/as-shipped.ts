import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/**
 * Imports a package bundled as it is shipped. Running TypeScript directly adds code that names every function when it
 * is created, which takes time and memory that the product does not use.
 */
export async function asShipped<Module>(name: string): Promise<Module> {
  const folder = fileURLToPath(new URL(`../packages/${name}`, import.meta.url));
  await mkdir(join(folder, 'dist'), { recursive: true });
  const out = await mkdtemp(join(folder, 'dist', 'shipped-'));
  try {
    const outfile = join(out, 'index.mjs');
    await build({
      entryPoints: [join(folder, 'src/index.ts')],
      outfile,
      bundle: true,
      minifySyntax: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'error',
    });
    return (await import(pathToFileURL(outfile).href)) as Module;
  } finally {
    await rm(out, { recursive: true });
  }
}
