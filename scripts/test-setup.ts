import { fileURLToPath } from 'node:url';
import type {} from 'vitest';
import type { TestProject } from 'vitest/node';
import { buildStoreAssets } from '../packages/store/build.ts';
import { buildProduct } from './build.ts';
import { buildTestPrograms } from './build-test-programs.ts';
import { ensureBrowser } from './setup-browser.ts';
import { startPostgres } from './test-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A Postgres server of the tests' own; a suite makes itself a database on it. */
    postgresUrl: string;
  }
}

/** Runs once before all tests: finds a browser, builds what they start as a program, and starts a Postgres server for them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.provide('chromium', await ensureBrowser());
  await buildStoreAssets(packageFolder('store/dist'));
  const [postgres] = await Promise.all([
    startPostgres(),
    buildProduct(),
    buildTestPrograms(packageFolder('store')),
    buildTestPrograms(packageFolder('home')),
  ]);
  project.provide('postgresUrl', postgres.url);
  return () => postgres.remove();
}

function packageFolder(path: string): string {
  return fileURLToPath(new URL(`../packages/${path}`, import.meta.url));
}
