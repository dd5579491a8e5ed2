import { readFileSync, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import { unreadable } from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import { formatLogLine, logFilePath } from '@executor/server';
import type { Environment } from '../../environment.ts';

interface LogsOptions {
  follow?: boolean;
  lines: string;
  json?: boolean;
}

export async function logs(
  environment: Environment,
  { follow = false, lines, json = false }: LogsOptions,
): Promise<void> {
  const count = Number(lines);
  if (!Number.isInteger(count) || count < 0)
    throw new ExecutorError('usage', `--lines must be a whole number, got "${lines}".`);
  const path = logFilePath(environment.folders);
  const print = (line: string) =>
    environment.print(json ? line : formatLogLine(line, environment.hasColors(environment.stdout)));
  const size = ifExists(path, () => statSync(path).size);
  if (size === undefined && !follow)
    return environment.printError(`There is no log yet. It will be in ${path}.`);
  for (const line of lastLines(path, count)) print(line);
  if (follow) await followFile(path, { from: size ?? 0, print });
}

/** The last lines. If the current file is too short, they begin in the rotated file. */
function lastLines(path: string, count: number): string[] {
  const lines = [`${path}.1`, path].flatMap(
    (file) => ifExists(file, () => readFileSync(file, 'utf8'))?.split('\n') ?? [],
  );
  const whole = lines.filter((line) => line !== '');
  return count === 0 ? [] : whole.slice(-count);
}

/** Undefined if the file does not exist. Other errors say why it cannot be read. */
function ifExists<T>(path: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(path, error);
  }
}

/**
 * Prints appended lines until the process ends. It reads the file to its end through one descriptor before it opens the next file of that
 * name, so that it misses nothing at a rotation.
 */
async function followFile(
  path: string,
  { from, print }: { from: number; print: (line: string) => void },
): Promise<never> {
  let file: FileHandle | undefined;
  let position = from;
  let partial = '';
  const decoder = new StringDecoder('utf8');
  const readRest = async () => {
    const buffer = Buffer.alloc(64 * 1024);
    for (;;) {
      const { bytesRead } = (await file?.read(buffer, 0, buffer.length, position)) ?? { bytesRead: 0 };
      if (bytesRead === 0) return;
      position += bytesRead;
      const lines = (partial + decoder.write(buffer.subarray(0, bytesRead))).split('\n');
      partial = lines.pop() ?? '';
      lines.forEach(print);
    }
  };
  for (;;) {
    await readRest();
    if (!(await isCurrent(file, path))) {
      await readRest();
      await file?.close();
      const next = await open(path, 'r').catch(() => undefined);
      if (file !== undefined) position = 0;
      file = next;
    } else {
      await sleep(200);
    }
    if (file === undefined) await sleep(200);
  }
}

async function isCurrent(file: FileHandle | undefined, path: string): Promise<boolean> {
  const named = await stat(path).catch(() => undefined);
  return file !== undefined && (named === undefined || named.ino === (await file.stat()).ino);
}
