import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { ExecutorError } from '@executor/protocol';
import type { Folders } from './folders.ts';
import { findJsonMistake } from './json-mistake.ts';
import { readPrivateFile, writeCandidate } from './private-file.ts';
import { makeFolder, unreadable, unusable } from './private-folder.ts';

/** The raw values of config.json, not yet validated. */
export function readConfigFile(folders: Folders): Record<string, unknown> {
  const path = configPath(folders);
  const text = readText(path);
  if (text === undefined) return {};
  const parsed = parseJson(path, text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw notConfig(path, 'it must hold one JSON object');
  const { $schema: _, ...values } = parsed as Record<string, unknown>;
  return values;
}

/** Replaces config.json atomically, and writes its schema beside it for editors. */
export function writeConfigFile(
  folders: Folders,
  values: Record<string, unknown>,
  schema: Record<string, unknown>,
): void {
  makeFolder(folders.config);
  replaceFile(join(folders.config, 'config.schema.json'), schema);
  replaceFile(configPath(folders), { $schema: './config.schema.json', ...values });
}

export function configPath(folders: Folders): string {
  return join(folders.config, 'config.json');
}

function replaceFile(path: string, content: Record<string, unknown>): void {
  try {
    const candidate = `${path}.${process.pid}.new`;
    // 0600, because a database URL contains a password. Flushed, because a power cut could leave an empty file otherwise.
    writeCandidate(candidate, `${JSON.stringify(content, null, 2)}\n`);
    renameSync(candidate, path);
  } catch (error) {
    throw unusable(path, error);
  }
}

function readText(path: string): string | undefined {
  try {
    return readPrivateFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'EACCES' || code === 'EPERM') throw unreadable(path, error);
    if (code === 'ELOOP') throw unusable(path, error);
    throw notConfig(path, `it cannot be read (${code})`, error);
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { line, column } = findJsonMistake(text);
    throw notConfig(path, `it is not JSON, see line ${line}, column ${column}`);
  }
}

function notConfig(path: string, problem: string, cause?: unknown): ExecutorError {
  return new ExecutorError(
    'invalidConfig',
    `Cannot use ${path}: ${problem}. Correct it, or move it away to use the defaults.`,
    {
      details: { path },
      cause,
    },
  );
}
