import { mkdir, mkdtemp, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RotatingFile } from './rotating-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'executor-log-'));
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

test('A full file is renamed, the oldest is deleted, and no line is cut', async () => {
  const file = new RotatingFile(join(folder, 'a.log'), { maxBytes: 20, keep: 2 });
  for (let number = 0; number < 8; number++) file.write(`line ${number}\n`);
  file.close();
  const contents = Object.fromEntries(
    await Promise.all(
      (await readdir(folder)).map(async (name) => [name, await readFile(join(folder, name), 'utf8')]),
    ),
  );
  expect(contents).toEqual({
    'a.log': 'line 6\nline 7\n',
    'a.log.1': 'line 4\nline 5\n',
    'a.log.2': 'line 2\nline 3\n',
  });
});

test('A new process appends to the file, and only its owner can read it', async () => {
  const path = join(folder, 'a.log');
  new RotatingFile(path).write('one\n');
  new RotatingFile(path).write('two\n');
  expect(await readFile(path, 'utf8')).toBe('one\ntwo\n');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('A line that cannot be written is dropped, not thrown', () => {
  const file = new RotatingFile(join(folder, 'a.log'));
  file.close();
  expect(() => file.write('lost\n')).not.toThrow();
});

test('If rotation fails, the old file is used, and no other is changed', async () => {
  const path = join(folder, 'a.log');
  await mkdir(`${path}.1`);
  await mkdir(join(`${path}.1`, 'in the way'));
  await mkdir(`${path}.2`);
  await mkdir(join(`${path}.2`, 'in the way'));
  const file = new RotatingFile(path, { maxBytes: 10, keep: 2 });
  file.write('line one\n');
  file.write('line two\n');
  const otherFile = await open(join(folder, 'other'), 'w');
  file.write('line three\n');
  await otherFile.write('unharmed');
  await otherFile.close();
  expect(await readFile(path, 'utf8')).toBe('line one\nline two\nline three\n');
});
