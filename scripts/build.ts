import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { build as buildWeb } from 'vite';
import { buildDiscovery } from '../packages/discovery/build.ts';
import { buildEmbedder } from '../packages/embedding/build.ts';
import { buildSandbox } from '../packages/sandboxes/build.ts';
import { buildServerThreads } from '../packages/server/build.ts';
import { buildReader } from '../packages/sources/build.ts';
import { buildStoreAssets } from '../packages/store/build.ts';
import { buildChecker } from '../packages/typecheck/build.ts';
import { directImports } from './direct-imports.ts';
import { type BuildOutput, reuseBuild } from './reuse-build.ts';

/**
 * `npm run build`: builds the product into apps/cli/dist, so that `npx executor` works. With `--reuse`, parts that are up to date are kept.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}apps/cli/dist`;

const parts: Omit<BuildOutput, 'exclude'>[] = [
  { source: 'packages/store', folder: 'store', build: buildStoreAssets },
  { source: 'packages/sandboxes', folder: 'sandbox', build: buildSandbox },
  { source: 'packages/server', folder: 'server', build: buildServerThreads },
  { source: 'packages/sources', folder: 'reader', build: buildReader },
  { source: 'packages/discovery', folder: 'discovery', build: buildDiscovery },
  { source: 'packages/embedding', folder: 'embedding', build: buildEmbedder },
  { source: 'packages/typecheck', folder: 'typecheck', build: buildChecker },
  { source: 'apps/web', folder: 'web', build: buildPages },
];

/** The programs are in the folder itself, the other parts in folders inside it. */
export const productOutputs: BuildOutput[] = [
  {
    source: 'apps/cli',
    folder: 'apps/cli/dist',
    exclude: parts.map(({ folder }) => folder),
    build: buildPrograms,
  },
  ...parts.map((part) => ({ ...part, folder: `apps/cli/dist/${part.folder}` })),
];

export async function buildProduct(): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  await Promise.all(productOutputs.map(({ folder, build }) => build(`${root}${folder}`)));
}

/**
 * The programs are split, so that each command loads only the modules that it uses. PGlite remains a package, because it finds its
 * WebAssembly beside itself.
 */
async function buildPrograms(folder: string): Promise<void> {
  await removeFiles(folder);
  const { outputFiles } = await build({
    entryPoints: [`${root}apps/cli/src/main.ts`, `${root}apps/cli/src/command-line.ts`],
    outdir: folder,
    write: false,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    define: { EXECUTOR_BUILT_AT: JSON.stringify(new Date().toISOString()) },
    external: ['@electric-sql/pglite', 'pg-native'],
    plugins: [directImports(), lazyChildProcess],
    // The main file in its package.json loads other files in a way that a bundler cannot follow.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  });
  await mkdir(folder, { recursive: true });
  await Promise.all(outputFiles.map(({ path, text }) => writeFile(path, withRequire(text))));
  await cp(`${root}LICENSE`, `${folder}/LICENSE`);
}

/** Commander loads `child_process` for a feature that no command uses. Loading it costs 5 ms of each command. */
const lazyChildProcess: Plugin = {
  name: 'lazy-child-process',
  setup(build) {
    build.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('/node_modules/commander/')
        ? { path: 'child_process', namespace: 'lazy-child-process' }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'lazy-child-process' }, () => ({
      contents: `exports.spawn = (...args) => process.getBuiltinModule('node:child_process').spawn(...args);`,
    }));
  },
};

/**
 * CommonJS modules in the bundle load Node's modules with `require`, which one file defines for all of them. The other files do without,
 * because it costs start-up time.
 */
function withRequire(program: string): string {
  if (!/\b__require ?=/.test(program)) return program;
  return `import { createRequire } from 'node:module';const require = createRequire(import.meta.url);${program}`;
}

/** Names of split files contain a hash, so files of an earlier build would remain. */
async function removeFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isFile()) await rm(join(folder, entry.name), { force: true });
}

async function buildPages(folder: string): Promise<void> {
  await buildWeb({
    root: `${root}apps/web`,
    configFile: `${root}apps/web/vite.config.ts`,
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--reuse')) await Promise.all(productOutputs.map(reuseBuild));
  else await buildProduct();
}
