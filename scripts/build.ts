import { cp, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { build as buildWeb } from 'vite';
import { buildSandbox } from '../packages/sandboxes/build.ts';
import { buildServerThreads } from '../packages/server/build.ts';
import { buildReader } from '../packages/sources/build.ts';
import { buildStoreAssets } from '../packages/store/build.ts';

/** `npm run build`: puts the product in apps/cli/dist, after which `npx executor` works. */
const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}apps/cli/dist`;

export async function buildProduct(): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  await Promise.all([
    buildPrograms(),
    buildStoreAssets(`${dist}/store`),
    buildSandbox(`${dist}/sandbox`),
    buildServerThreads(`${dist}/server`),
    buildReader(`${dist}/reader`),
    buildPages(),
  ]);
  await cp(`${root}LICENSE`, `${dist}/LICENSE`);
}

/** Split, so that each command loads only what it uses. PGlite stays a package: it finds its own WebAssembly beside itself. */
async function buildPrograms(): Promise<void> {
  await build({
    entryPoints: [`${root}apps/cli/src/main.ts`],
    outdir: dist,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
    define: { EXECUTOR_BUILT_AT: JSON.stringify(new Date().toISOString()) },
    external: ['@electric-sql/pglite', 'pg-native'],
    // What its package.json names first loads its own files in a way that no bundler can follow.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    // What is CommonJS inside the bundle asks for Node's own modules with `require`.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
}

async function buildPages(): Promise<void> {
  await buildWeb({
    root: `${root}apps/web`,
    configFile: `${root}apps/web/vite.config.ts`,
    logLevel: 'warn',
    build: { outDir: `${dist}/web`, emptyOutDir: true },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildProduct();
