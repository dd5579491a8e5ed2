import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type {} from 'vitest';
import type { TestProject } from 'vitest/node';
import { ensureCorpus } from '../bench/openapi-corpus/corpus.ts';
import { productOutputs } from './build.ts';
import { buildTestPrograms } from './build-test-programs.ts';
import { type BuildOutput, isUpToDate, reuseBuild } from './reuse-build.ts';
import { ensureBrowser } from './setup-browser.ts';
import { ensureBubblewrap } from './setup-bubblewrap.ts';
import { ensureConformance } from './setup-conformance.ts';
import { ensureDocuments } from './setup-documents.ts';
import { ensureModel } from './setup-model.ts';
import { startPostgres } from './test-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A Postgres server for the tests. Each suite creates its own database on it. */
    postgresUrl: string;
  }
}

/**
 * Runs once before all tests. It finds a browser and bubblewrap, installs large documents, a language model and the conformance suite,
 * builds the programs that tests start, and starts a Postgres server.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.provide('chromium', await ensureBrowser().catch(withoutBrowser));
  await ensureBubblewrap();
  const [postgres] = await Promise.all([
    startPostgres(),
    ensureDocuments(),
    ensureModel(),
    // Installed here because several test files read it.
    readsCorpus() ? ensureCorpus() : undefined,
    ensureConformance(),
    buildProduct().then(() => Promise.all(copies.map(reuseBuild))),
    ...testPrograms.map(reuseBuild),
  ]);
  project.provide('postgresUrl', postgres.url);
  return () => postgres.remove();
}

/** The long tests read the corpus, except the attacks. */
function readsCorpus(): boolean {
  return process.env.EXECUTOR_TEST_LONG === '1' && process.env.EXECUTOR_TEST_ATTACK !== '1';
}

/** Parts of the product that tests of the packages use from the package's own folder. */
const copies: BuildOutput[] = [
  copied('store', 'packages/store', 'dist'),
  copied('sandbox', 'packages/sandboxes', 'dist/quickjs'),
  copied('server', 'packages/server', 'dist'),
  copied('reader', 'packages/sources', 'dist/reader'),
  copied('typecheck', 'packages/typecheck', 'dist'),
  copied('embedding', 'packages/embedding', 'dist'),
];

/** Files of an earlier build are removed first, because a migration that no longer exists would still be applied. */
function copied(part: string, source: string, target: string): BuildOutput {
  const from = fileURLToPath(new URL(`../apps/cli/dist/${part}`, import.meta.url));
  const exclude = ['test'];
  const build = async (folder: string) => {
    await mkdir(folder, { recursive: true });
    const former = (await readdir(folder)).filter((entry) => !exclude.includes(entry));
    await Promise.all(former.map((entry) => rm(join(folder, entry), { recursive: true })));
    await cp(from, folder, { recursive: true });
  };
  return { source, folder: `${source}/${target}`, exclude, build };
}

const testPrograms: BuildOutput[] = ['packages/store', 'packages/home', 'packages/server'].map((source) => ({
  source,
  folder: `${source}/dist/test`,
  build: (folder: string) => buildTestPrograms(join(folder, '../..')),
}));

/** Uses a separate process, because vitest sets NODE_ENV, which would change the build. */
async function buildProduct(): Promise<void> {
  if (productOutputs.every(isUpToDate)) return;
  const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(
    process.execPath,
    [path('../node_modules/tsx/dist/cli.mjs'), path('./build.ts'), '--reuse'],
    { env },
  );
}

/** Tests that need a browser fail with this message. The others can run. */
function withoutBrowser(error: Error): string {
  console.error(error.message);
  return '';
}
