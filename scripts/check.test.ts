import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findImportProblems } from './check-imports.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'executor-check-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const using = (module: string) => `import { it } from '${module}';\n\nexport const own = it;\n`;

test('a part may import the parts below it', () => {
  write({
    'packages/store/src/a.ts': using('@executor/engine'),
    'apps/cli/src/b.ts': using('@executor/server'),
  });
  expect(findImportProblems(folder)).toEqual([]);
});

test.each([
  ['packages/protocol/src/a.ts', '@executor/engine'],
  ['packages/engine/src/a.ts', '@executor/store'],
  ['packages/store/src/a.ts', '@executor/sandboxes'],
  ['packages/client/src/a.ts', '@executor/engine'],
  ['apps/web/src/a.tsx', '@executor/server'],
  ['apps/web/src/a.tsx', 'executor'],
])('%s may not import %s, which is above or beside it', (path, module) => {
  write({ [path]: using(module).replace('import', 'import type') });
  expect(findImportProblems(folder)).toEqual([
    expect.stringMatching(`^${path} imports ${module}: .* may import`),
  ]);
});

test.each(['../../store/src/schema.ts', '../test/server.ts', './a.test.ts', './a.suite.ts'])(
  'a part may not import %s',
  (module) => {
    write({ 'packages/engine/src/b.ts': using(module) });
    expect(findImportProblems(folder)).toEqual([expect.stringContaining(`imports ${module}:`)]);
  },
);

test('a port may import only other ports and protocol', () => {
  write({
    'packages/engine/src/ports/a.ts': using('./b.ts') + using('@executor/protocol'),
    'packages/engine/src/ports/b.ts': using('../catalog.ts') + using('node:fs'),
  });
  expect(findImportProblems(folder)).toEqual([
    expect.stringContaining('imports ../catalog.ts: a port'),
    expect.stringContaining('imports node:fs: a port'),
  ]);
});

test('a cycle is found, type imports included', () => {
  write({
    'packages/engine/src/a.ts': using('./b.ts'),
    'packages/engine/src/b.ts': "import type {\n  own,\n} from './c.ts';\n",
    'packages/engine/src/c.ts': "export type It = import('./a.ts').It;\n",
    'packages/engine/src/d.ts': using('./a.ts'),
  });
  const cycle = ['a', 'b', 'c', 'a'].map((name) => `packages/engine/src/${name}.ts`).join(' -> ');
  expect(findImportProblems(folder)).toEqual([`import cycle: ${cycle}`]);
});

test('code that runs in a browser may not import modules of Node', () => {
  write({ 'packages/protocol/src/a.ts': using('node:fs') });
  cpSync(join(root, 'biome.json'), join(folder, 'biome.json'));
  const { stdout } = spawnSync(
    join(root, 'node_modules/.bin/biome'),
    ['lint', '--vcs-enabled=false', '--reporter=github', '.'],
    { cwd: folder, encoding: 'utf8' },
  );
  expect(stdout).toContain('title=lint/correctness/noNodejsModules');
});
