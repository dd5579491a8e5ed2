import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'executor-check-'));
  cpSync(join(root, 'biome.json'), join(folder, 'biome.json'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The rules that our own configuration finds broken in these files. */
function broken(files: Record<string, string>): string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const biome = join(root, 'node_modules/.bin/biome');
  const { stdout } = spawnSync(biome, ['lint', '--vcs-enabled=false', '--reporter=github', '.'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return [...new Set([...stdout.matchAll(/title=lint\/([\w/]+)/g)].map((match) => match[1] as string))];
}

const using = (module: string) => `import { it } from '${module}';\n\nexport const own = it;\n`;

test('a part may import what is below it', () => {
  expect(
    broken({
      'packages/store/src/a.ts': using('@executor/engine'),
      'apps/cli/src/b.ts': using('@executor/server'),
    }),
  ).toEqual([]);
});

test('a part may not import what is above or beside it', () => {
  for (const [path, module] of [
    ['packages/protocol/src/a.ts', '@executor/engine'],
    ['packages/engine/src/a.ts', '@executor/store'],
    ['packages/store/src/a.ts', '@executor/sandboxes'],
    ['packages/client/src/a.ts', '@executor/engine'],
    ['apps/web/src/a.tsx', '@executor/server'],
  ] as const) {
    expect(broken({ [path]: using(module) }), `${path} importing ${module}`).toEqual([
      'style/noRestrictedImports',
    ]);
    rmSync(join(folder, path));
  }
});

test('a part may not reach into another by a relative path, nor import a test', () => {
  for (const module of ['../../store/src/schema.ts', '../test/server.ts', './a.test.ts']) {
    expect(broken({ 'packages/engine/src/a.ts': using(module) }), module).toContain(
      'style/noRestrictedImports',
    );
  }
});

test('a cycle is found', () => {
  expect(
    broken({
      'packages/engine/src/a.ts': using('./b.ts'),
      'packages/engine/src/b.ts': using('./a.ts').replace('own', 'it'),
    }),
  ).toContain('suspicious/noImportCycles');
});

test('what runs in a browser may not import Node’s modules', () => {
  expect(broken({ 'packages/protocol/src/a.ts': using('node:fs') })).toContain('correctness/noNodejsModules');
});
