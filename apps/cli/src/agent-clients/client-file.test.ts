import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readClientFile, writeClientFile } from './client-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'executor-client-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, content: string | Buffer = '{}', mode = 0o644): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

test('A file is replaced atomically with the same permissions, and no temporary file remains', () => {
  for (const mode of [0o600, 0o644, 0o664]) {
    const path = put('mcp.json', '{"old":1}', mode);
    writeClientFile(readClientFile(path), '{"new":1}');
    expect(readFileSync(path, 'utf8')).toBe('{"new":1}');
    expect(statSync(path).mode & 0o777).toBe(mode);
  }
  expect(readdirSync(folder)).toEqual(['mcp.json']);
});

test.runIf(process.getuid?.() === 0)('A replaced file keeps its owner and group', () => {
  const path = put('mcp.json');
  execFileSync('chown', ['1234:2345', path]);
  writeClientFile(readClientFile(path), '{"new":1}');
  expect(statSync(path)).toMatchObject({ uid: 1234, gid: 2345 });
});

test('A new file and its folders are created, and only this user can read the file', () => {
  const path = join(folder, 'a', 'b', 'mcp.json');
  const file = readClientFile(path);
  expect(file.text).toBe('');
  writeClientFile(file, '{}');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('Links are followed and not replaced, also if their target does not exist yet', () => {
  put('real.json', '{"a":1}');
  symlinkSync('real.json', join(folder, 'link.json'));
  symlinkSync('link.json', join(folder, 'chain.json'));
  writeClientFile(readClientFile(join(folder, 'chain.json')), '{"b":1}');
  expect(readFileSync(join(folder, 'real.json'), 'utf8')).toBe('{"b":1}');
  expect(readlinkSync(join(folder, 'chain.json'))).toBe('link.json');
  symlinkSync('missing.json', join(folder, 'dangling.json'));
  writeClientFile(readClientFile(join(folder, 'dangling.json')), '{"c":1}');
  expect(readFileSync(join(folder, 'missing.json'), 'utf8')).toBe('{"c":1}');
  symlinkSync('loop.json', join(folder, 'loop.json'));
  expect(() => readClientFile(join(folder, 'loop.json'))).toThrow(/a link to itself/);
});

test('A link out of the project is rejected, because a cloned project is untrusted', () => {
  const project = join(folder, 'project');
  mkdirSync(project);
  mkdirSync(join(folder, 'outside'));
  const victim = put('victim.json');
  symlinkSync(victim, join(project, 'a.json'));
  symlinkSync(join(folder, 'not-there-yet'), join(project, 'b.json'));
  symlinkSync(join(folder, 'outside'), join(project, '.cursor'));
  for (const name of ['a.json', 'b.json', '.cursor/mcp.json'])
    expect(() => readClientFile(join(project, name), project), name).toThrow(/outside the project/);
  writeFileSync(join(project, 'real.json'), '{}');
  symlinkSync('real.json', join(project, 'inner.json'));
  expect(readClientFile(join(project, 'inner.json'), project).text).toBe('{}');
});

test('Pipes, folders, huge, unreadable and non-UTF-8 files are rejected without waiting', () => {
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  mkdirSync(join(folder, 'folder'));
  const huge = put('huge.json');
  truncateSync(huge, 17 * 1024 * 1024);
  const refusals: [string, RegExp][] = [
    ['pipe', /not a file/],
    ['folder', /not a file/],
    ['huge.json', /larger than 16 MiB/],
    ['huge.json/mcp.json', /ENOTDIR/],
  ];
  for (const [name, problem] of refusals)
    expect(() => readClientFile(join(folder, name)), name).toThrow(problem);
  // Not even root can read it.
  if (existsSync('/proc/self/mem')) symlinkSync('/proc/self/mem', join(folder, 'memory'));
  if (existsSync('/proc/self/mem'))
    expect(() => readClientFile(join(folder, 'memory'))).toThrow(/was not changed: it cannot be read \(/);
  expect(() => readClientFile(put('latin1.json', Buffer.from('{"a":"\xe4"}', 'latin1')))).toThrow(/UTF-8/);
});

test('A read-only file is not replaced, although its folder is writable', () => {
  const path = put('mcp.json', '{"mine":1}', 0o444);
  expect(() => writeClientFile(readClientFile(path), '{}')).toThrow(/read-only/);
  expect(readFileSync(path, 'utf8')).toBe('{"mine":1}');
});

test('A concurrent change of another program is not overwritten', () => {
  const path = put('mcp.json', '{"a":1}');
  const file = readClientFile(path);
  writeFileSync(path, '{"a":2}');
  expect(() => writeClientFile(file, '{}')).toThrow(/changed by another program/);
  expect(readFileSync(path, 'utf8')).toBe('{"a":2}');
  rmSync(path);
  expect(() => writeClientFile(file, '{}')).toThrow(/changed by another program/);
  expect(readdirSync(folder)).toEqual([]);
});
