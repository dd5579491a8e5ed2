import { existsSync, readFileSync, statSync, watchFile } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolveFolders } from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import { formatLogLine, logFilePath } from '@executor/server';

interface LogsOptions {
  follow?: boolean;
  lines: string;
  json?: boolean;
}

export async function logs({ follow = false, lines, json = false }: LogsOptions): Promise<void> {
  const count = Number(lines);
  if (!Number.isInteger(count) || count < 0)
    throw new ExecutorError('usage', `--lines takes a whole number, got "${lines}".`);
  const path = logFilePath(resolveFolders(process.env));
  const print = (line: string) =>
    console.log(json ? line : formatLogLine(line, process.stdout.hasColors?.() ?? false));
  if (!existsSync(path) && !follow) return console.error(`There is no log yet. It will be in ${path}.`);
  for (const line of lastLines(path, count)) print(line);
  if (follow) await followFile(path, print);
}

/** The last lines, going back into the file that was rotated away where the current one is too short. */
function lastLines(path: string, count: number): string[] {
  const lines = [`${path}.1`, path]
    .filter((file) => existsSync(file))
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  const whole = lines.filter((line) => line !== '');
  return count === 0 ? [] : whole.slice(-count);
}

/** Prints what is appended, until the process is ended; begins again where the file was rotated. */
async function followFile(path: string, print: (line: string) => void): Promise<never> {
  let position = existsSync(path) ? statSync(path).size : 0;
  let partial = '';
  const readNew = async () => {
    if (!existsSync(path)) return;
    if (statSync(path).size < position) position = 0;
    const file = await open(path, 'r');
    try {
      for await (const chunk of file.createReadStream({
        start: position,
        encoding: 'utf8',
        autoClose: false,
      })) {
        position += Buffer.byteLength(chunk);
        partial += chunk;
      }
    } finally {
      await file.close();
    }
    const whole = partial.split('\n');
    partial = whole.pop() ?? '';
    whole.forEach(print);
  };
  let reading = Promise.resolve();
  watchFile(path, { interval: 200 }, () => {
    reading = reading.then(readNew);
  });
  return new Promise(() => {});
}
