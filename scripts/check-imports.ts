import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Checks the imports of each file. Type imports count like any other.
 * - A part imports only the parts that the table names.
 * - A part imports another one by its name, never by a path, and never a test.
 * - A port imports only other ports and protocol.
 * - Imports form no cycle.
 */
const allowed: Record<string, string[]> = {
  'packages/protocol': [],
  'packages/client': ['protocol'],
  'packages/home': ['protocol'],
  'packages/engine': ['protocol'],
  'packages/discovery': ['engine'],
  'packages/embedding': ['engine'],
  'packages/store': ['protocol', 'home', 'engine'],
  'packages/sandboxes': ['protocol', 'engine'],
  'packages/typecheck': ['engine'],
  'packages/sources': ['protocol', 'engine'],
  'packages/server': [
    'protocol',
    'home',
    'engine',
    'discovery',
    'embedding',
    'store',
    'sandboxes',
    'sources',
    'typecheck',
  ],
  'apps/cli': ['protocol', 'client', 'home', 'server'],
  'apps/web': ['protocol', 'client'],
};

const ports = 'packages/engine/src/ports/';

/** The parts that may import a part, directly or not, the nearest first. */
export function partsAbove(part: string): string[] {
  const found = new Set([part]);
  for (const below of found)
    for (const [other, names] of Object.entries(allowed))
      if (names.some((name) => below.endsWith(`/${name}`))) found.add(other);
  return [...found].slice(1);
}

export interface Import {
  file: string;
  specifier: string;
  /** The path of the imported file from the root, if the import is relative. */
  target: string | undefined;
}

/** One line for each broken rule. */
export function findImportProblems(root: string): string[] {
  const imports = readImports(root).filter(({ file }) => !isTest(file));
  return [...imports.flatMap(brokenRules), ...findCycles(imports)];
}

/** The imports of every TypeScript file, tests included. */
export function readImports(root: string): Import[] {
  const files = ['packages', 'apps', 'scripts', 'bench'].flatMap((folder) => sourceFiles(root, folder));
  return files.flatMap((file) => importsOf(root, file));
}

export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}

function sourceFiles(root: string, folder: string): string[] {
  const entries = statSync(join(root, folder), { throwIfNoEntry: false })
    ? readdirSync(join(root, folder), { withFileTypes: true })
    : [];
  return entries.flatMap((entry) => {
    const { name } = entry;
    const path = `${folder}/${name}`;
    if (entry.isDirectory()) return name === 'node_modules' || name === 'dist' ? [] : sourceFiles(root, path);
    return /\.tsx?$/.test(name) ? [path] : [];
  });
}

const importPattern = /\bfrom\s+'([^']+)'|\bimport\s*\(?\s*'([^']+)'/g;

function importsOf(root: string, file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(importPattern)].map(([, named, bare]) => {
    const specifier = (named ?? bare) as string;
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : undefined;
    return { file, specifier, target };
  });
}

function brokenRules({ file, specifier, target }: Import): string[] {
  const [group, name] = file.split('/');
  const part = `${group}/${name}`;
  if (!file.startsWith(`${part}/src/`) || file.endsWith('.suite.ts')) return [];
  const problem =
    partProblem(part, specifier) ?? pathProblem(part, target) ?? portProblem({ file, specifier, target });
  return problem === undefined ? [] : [`${file} imports ${specifier}: ${problem}`];
}

function partProblem(part: string, specifier: string): string | undefined {
  const [, other] = /^(?:@executor\/)?([^/]+)/.exec(specifier) as RegExpExecArray;
  if (!specifier.startsWith('@executor/') && specifier !== 'executor') return undefined;
  const names = allowed[part];
  if (names === undefined) return `${part} is not in the table of scripts/check-imports.ts`;
  if (names.includes(other as string)) return undefined;
  return `${part} may import ${names.length > 0 ? names.join(', ') : 'no other part'} (see ARCHITECTURE.md)`;
}

function pathProblem(part: string, target: string | undefined): string | undefined {
  if (target === undefined || target === `${part}/package.json`) return undefined;
  if (!target.startsWith(`${part}/src/`)) return 'import another part by its name, and never a test';
  return /\.(test|suite)\.tsx?$/.test(target) ? 'only tests may import a test' : undefined;
}

function portProblem({ file, specifier, target }: Import): string | undefined {
  if (!file.startsWith(ports) || target?.startsWith(ports) || specifier === '@executor/protocol')
    return undefined;
  return 'a port may import only other ports and protocol';
}

/** One shortest cycle through each file that is in one; files of a cycle that was reported are not reported again. */
function findCycles(imports: Import[]): string[] {
  const targets = new Map<string, string[]>();
  for (const { file, target } of imports)
    if (target !== undefined) targets.set(file, [...(targets.get(file) ?? []), target]);
  const reported = new Set<string>();
  return [...targets.keys()].sort().flatMap((file) => {
    const cycle = reported.has(file) ? undefined : shortestCycle(targets, file);
    if (cycle === undefined) return [];
    for (const member of cycle) reported.add(member);
    return [`import cycle: ${[...cycle, file].join(' -> ')}`];
  });
}

function shortestCycle(targets: Map<string, string[]>, start: string): string[] | undefined {
  const paths = new Map([[start, [start]]]);
  for (const [file, path] of paths) {
    for (const target of targets.get(file) ?? []) {
      if (target === start) return path;
      if (!paths.has(target)) paths.set(target, [...path, target]);
    }
  }
  return undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = findImportProblems(fileURLToPath(new URL('..', import.meta.url)));
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
