import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Folders } from './folders.ts';
import { ensurePrivateFolder, unusable } from './private-folder.ts';

/** The key with which `executor mcp` acts as an agent of this machine; runs belong to it, so it is kept with the data. */
export function readAgentKey(folders: Folders): string | undefined {
  const path = agentKeyPath(folders);
  try {
    const key = readFileSync(path, 'utf8').trim();
    return /^[!-~]{16,200}$/.test(key) ? key : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(path, error);
  }
}

/** Keeps a key where none is kept, and answers with the one that is: of several at once, one is kept, and nobody reads half of it. */
export function keepAgentKey(folders: Folders, key: string): string {
  ensurePrivateFolder(folders.data);
  const path = agentKeyPath(folders);
  const candidate = `${path}.${process.pid}.new`;
  try {
    writeFileSync(candidate, `${key}\n`, { mode: 0o600, flush: true });
    linkSync(candidate, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(path, error);
  } finally {
    rmSync(candidate, { force: true });
  }
  return readAgentKey(folders) ?? key;
}

/** Forgets a key that is worth nothing any more; not the one that somebody else has put in its place. */
export function dropAgentKey(folders: Folders, key: string): void {
  const kept = readAgentKey(folders);
  if (kept === key || kept === undefined) rmSync(agentKeyPath(folders), { force: true });
}

function agentKeyPath(folders: Folders): string {
  return join(folders.data, 'mcp-key');
}
