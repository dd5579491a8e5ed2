import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Folders, resolveFolders } from '../src/folders.ts';

/** A home for the running test, deleted when it has finished. */
export function temporaryFolders(): Folders {
  return resolveFolders({ EXECUTOR_HOME: temporaryFolder() });
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'executor-home-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
