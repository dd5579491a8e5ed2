import { copyFile, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Makes the folder that the sandbox's child processes run from: the programs of the lane and the compiler, the prelude that
 * runs inside the engine, and the engine. They read nothing else.
 */
export async function buildSandbox(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all([
    bundleProgram('lane', folder),
    bundleProgram('compiler', folder),
    bundleProgram('lowering', folder),
    bundlePrelude(folder),
    copyFile(require.resolve('quickjs-wasi/quickjs.wasm'), `${folder}/quickjs.wasm`),
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
    // The compiler loads it only when it needs it.
    external: ['./lowering.cjs'],
    target: 'node20',
    logLevel: 'error',
  });
}

async function bundlePrelude(folder: string): Promise<void> {
  await build({
    entryPoints: [`${sources}/prelude/main.ts`],
    outfile: `${folder}/prelude.js`,
    bundle: true,
    minify: true,
    keepNames: false,
    platform: 'neutral',
    mainFields: ['main'],
    // The engine's other parts import Node's modules. Nothing of them is used here, so nothing of them stays.
    external: ['node:*'],
    format: 'iife',
    target: 'es2023',
    logLevel: 'error',
  });
}
