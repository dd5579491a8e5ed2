import { linkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Folders } from './folders.ts';
import { readPrivateFile, writeCandidate } from './private-file.ts';
import { ensurePrivateFolder, unusable } from './private-folder.ts';

/** The API key of `executor mcp` on this machine. Its runs belong to it, so it is stored with the data. */
export function readAgentKey(folders: Folders): string | undefined {
  const path = agentKeyPath(folders);
  try {
    const key = readPrivateFile(path).trim();
    return /^[!-~]{16,200}$/.test(key) ? key : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(path, error);
  }
}

/** Stores a key if there is none, and returns the stored one. Of several concurrent writers one wins, and no reader sees half a key. */
export function keepAgentKey(folders: Folders, key: string): string {
  ensurePrivateFolder(folders.data);
  const path = agentKeyPath(folders);
  const candidate = `${path}.${process.pid}.new`;
  try {
    writeCandidate(candidate, `${key}\n`);
    linkSync(candidate, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(path, error);
  } finally {
    rmSync(candidate, { force: true });
  }
  return readAgentKey(folders) ?? key;
}

/** Deletes a revoked key, unless another process has replaced it. */
export function dropAgentKey(folders: Folders, key: string): void {
  const kept = readAgentKey(folders);
  if (kept === key || kept === undefined) rmSync(agentKeyPath(folders), { force: true });
}

function agentKeyPath(folders: Folders): string {
  return join(folders.data, 'mcp-key');
}
