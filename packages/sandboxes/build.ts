import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { createImage } from './src/quickjs/lane/image.ts';
import { encodeImage } from './src/quickjs/lane/image-file.ts';
import { importMemory } from './src/quickjs/lane/imported-memory.ts';

/**
 * Builds the folder that the sandbox's child processes run from: the programs of the lane and the compiler, the engine, and the image of an
 * engine that has run the prelude. They read nothing else.
 */
export async function buildSandbox(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all([
    bundleProgram('lane', folder),
    bundleProgram('compiler', folder),
    bundleProgram('lowering', folder),
    writeImage(folder),
  ]);
}

const sources = fileURLToPath(new URL('src/quickjs', import.meta.url));
const require = createRequire(import.meta.url);

async function bundleProgram(name: 'lane' | 'compiler' | 'lowering', folder: string): Promise<void> {
  await build({
    entryPoints: [`${sources}/${name}/main.ts`],
    outfile: `${folder}/${name}.cjs`,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    // The compiler loads the lowering only when code needs it.
    external: ['./lowering.cjs'],
    target: 'node20',
    logLevel: 'error',
  });
}

async function writeImage(folder: string): Promise<void> {
  const engine = importMemory(await readFile(require.resolve('quickjs-wasi/quickjs.wasm')));
  const image = createImage(engine, await bundlePrelude());
  await writeFile(`${folder}/quickjs.wasm`, engine.bytes);
  await writeFile(`${folder}/image.bin`, encodeImage(image));
}

async function bundlePrelude(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${sources}/prelude/main.ts`],
    write: false,
    bundle: true,
    minify: true,
    keepNames: false,
    platform: 'neutral',
    mainFields: ['main'],
    // Other parts of the engine import Node's modules. The bundler removes them, because the prelude does not use them.
    external: ['node:*'],
    format: 'iife',
    target: 'es2023',
    logLevel: 'error',
  });
  return outputFiles.map(({ text }) => text).join('');
}
