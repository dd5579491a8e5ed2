import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BuildOutput, reuseBuild } from './reuse-build.ts';

let root: string;
let builds: number;
let output: BuildOutput;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'executor-reuse-build-'));
  builds = 0;
  write('package-lock.json', '{}');
  write('packages/a/package.json', '{ "dependencies": { "@executor/b": "0.1.0" } }');
  write('packages/a/src/index.ts', 'export const a = 1;');
  write('packages/b/package.json', '{}');
  write('packages/b/src/index.ts', 'export const b = 1;');
  output = { root, source: 'packages/a', folder: 'packages/a/dist', build };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

async function build(folder: string): Promise<void> {
  builds += 1;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'out.js'), readFileSync(join(root, 'packages/a/src/index.ts')));
}

test('an output is reused while its inputs are the same, whatever their times', async () => {
  await reuseBuild(output);
  utimesSync(join(root, 'packages/a/src/index.ts'), new Date(), new Date());
  write('packages/a/src/index.test.ts', 'a test is no input');
  await reuseBuild(output);
  expect(builds).toBe(1);
});

test('a changed source, dependency, lock file or output leads to a new build', async () => {
  await reuseBuild(output);
  for (const path of [
    'packages/a/src/index.ts',
    'packages/a/src/new.ts',
    'packages/b/src/index.ts',
    'package-lock.json',
    'packages/a/dist/out.js',
  ]) {
    const before = builds;
    write(path, JSON.stringify({ edited: path }));
    await reuseBuild(output);
    expect(builds, path).toBe(before + 1);
    await reuseBuild(output);
    expect(builds, path).toBe(before + 1);
  }
});

test('a failed build is not reused', async () => {
  await reuseBuild(output);
  write('packages/a/src/index.ts', 'broken');
  const failing = { ...output, build: () => Promise.reject(new Error('does not compile')) };
  await expect(reuseBuild(failing)).rejects.toThrow('does not compile');
  write('packages/a/src/index.ts', 'export const a = 1;');
  await reuseBuild(output);
  expect(builds).toBe(2);
});

test('a source edited during the build leads to another build', async () => {
  const edited = {
    ...output,
    build: async (folder: string) => {
      await build(folder);
      write('packages/a/src/index.ts', `export const a = ${builds + 1};`);
    },
  };
  await reuseBuild(edited);
  await reuseBuild(output);
  expect(builds).toBe(2);
});
