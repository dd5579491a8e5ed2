import { onTestFinished } from 'vitest';
import type { Database } from '../src/database.ts';
import { openDatabase } from '../src/open-store.ts';
import { assets } from './test-database.ts';

interface Opening {
  folder: string;
  /** The name of a test's own worker program. */
  worker?: string;
  onProblem?(message: string): void;
}

/** Opens an embedded database for the running test, and closes it after the test. */
export async function openEmbedded({ folder, worker, onProblem = () => {} }: Opening): Promise<Database> {
  const database = await openDatabase({
    folder,
    assets: worker ? { ...assets, pgliteWorker: testProgram(worker) } : assets,
    onProblem,
  });
  onTestFinished(() => database.close().catch(() => {}));
  return database;
}

/** A test program, built by the set-up. */
export function testProgram(name: string): URL {
  return new URL(`test/${name}.js`, assets.pgliteWorker);
}
