import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type {} from 'vitest';
import type { TestProject } from 'vitest/node';
import { ensureCorpus } from '../bench/openapi-corpus/corpus.ts';
import { buildSandbox } from '../packages/sandboxes/build.ts';
import { buildServerThreads } from '../packages/server/build.ts';
import { buildReader } from '../packages/sources/build.ts';
import { buildStoreAssets } from '../packages/store/build.ts';
import { buildChecker } from '../packages/typecheck/build.ts';
import { buildTestPrograms } from './build-test-programs.ts';
import { ensureBrowser } from './setup-browser.ts';
import { ensureBubblewrap } from './setup-bubblewrap.ts';
import { ensureConformance } from './setup-conformance.ts';
import { ensureDocuments } from './setup-documents.ts';
import { startPostgres } from './test-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A Postgres server of the tests' own; a suite makes itself a database on it. */
    postgresUrl: string;
  }
}

/** Runs once before all tests: finds a browser and bubblewrap, installs large documents and the conformance suite, builds what they start as a program, and starts a Postgres server for them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.provide('chromium', await ensureBrowser().catch(withoutBrowser));
  await ensureBubblewrap();
  await buildStoreAssets(packageFolder('store/dist'));
  await buildSandbox(packageFolder('sandboxes/dist/quickjs'));
  await buildServerThreads(packageFolder('server/dist'));
  await buildReader(packageFolder('sources/dist/reader'));
  await buildChecker(packageFolder('typecheck/dist'));
  const [postgres] = await Promise.all([
    startPostgres(),
    ensureDocuments(),
    // In the midst of the tests only one of the files that read it would wait for it.
    process.env.EXECUTOR_TEST_LONG === '1' ? ensureCorpus() : undefined,
    ensureConformance(),
    buildProduct(),
    buildTestPrograms(packageFolder('store')),
    buildTestPrograms(packageFolder('home')),
    buildTestPrograms(packageFolder('server')),
  ]);
  project.provide('postgresUrl', postgres.url);
  return () => postgres.remove();
}

function packageFolder(path: string): string {
  return fileURLToPath(new URL(`../packages/${path}`, import.meta.url));
}

/** In a process of its own: vitest sets NODE_ENV, which would make it another build than the one that people run. */
async function buildProduct(): Promise<void> {
  const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(
    process.execPath,
    [path('../node_modules/tsx/dist/cli.mjs'), path('./build.ts')],
    { env },
  );
}

/** The tests that need a browser will say so; the others can run. */
function withoutBrowser(error: Error): string {
  console.error(error.message);
  return '';
}
