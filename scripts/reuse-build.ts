import { createHash, type Hash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Reuses the output of a build while its inputs are the same.
 *
 * After each successful build a record holds one hash of the contents of all inputs and one of the output files. The output is
 * reused only if both still match, so an edit, a new dependency, a damaged file and a build by another script all lead to a new build.
 * Times of files decide nothing. The record is deleted before a build starts and replaced by a rename after it succeeded.
 */
export interface BuildOutput {
  /** The workspace folder that is built, such as `packages/store`. Workspace packages that it depends on are inputs too. */
  source: string;
  /** The folder that the build writes, relative to the root. */
  folder: string;
  /** Names in the folder that belong to other outputs. */
  exclude?: string[];
  build(folder: string): Promise<unknown>;
  /** The root of the workspace, if it is not this one. */
  root?: string;
}

const ownRoot = fileURLToPath(new URL('..', import.meta.url));
/** Inputs of every build: versions of dependencies, compiler options and the build scripts. */
const sharedInputs = [
  'package-lock.json',
  'tsconfig.json',
  'LICENSE',
  'scripts/build.ts',
  'scripts/build-test-programs.ts',
  'scripts/direct-imports.ts',
  'scripts/reuse-build.ts',
];

/** Builds the output if it is not up to date. */
export async function reuseBuild(output: BuildOutput): Promise<void> {
  const inputs = hashInputs(output);
  if (matchesRecord(output, inputs)) return;
  rmSync(recordFile(output), { force: true });
  await output.build(join(output.root ?? ownRoot, output.folder));
  // An input that was edited during the build must lead to another build.
  if (hashInputs(output) === inputs) writeRecord(output, inputs);
}

export function isUpToDate(output: BuildOutput): boolean {
  return matchesRecord(output, hashInputs(output));
}

function matchesRecord(output: BuildOutput, inputs: string): boolean {
  const file = recordFile(output);
  return existsSync(file) && readFileSync(file, 'utf8') === `${inputs} ${hashOutput(output)}`;
}

function writeRecord(output: BuildOutput, inputs: string): void {
  const file = recordFile(output);
  mkdirSync(dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, `${inputs} ${hashOutput(output)}`);
  renameSync(partial, file);
}

function recordFile({ source, folder, root = ownRoot }: BuildOutput): string {
  const name = `${source}-to-${folder}`.replaceAll('/', '-');
  return join(root, 'node_modules/.cache/executor/builds', name);
}

function hashInputs({ source, root = ownRoot }: BuildOutput): string {
  const hash = createHash('sha256').update(process.version);
  const paths = [...sharedInputs, ...withDependencies(root, source)];
  for (const path of paths) hashTree(hash, join(root, path), isInput);
  return hash.digest('hex');
}

function hashOutput({ folder, exclude = [], root = ownRoot }: BuildOutput): string {
  const hash = createHash('sha256');
  hashTree(hash, join(root, folder), (name) => !exclude.includes(name));
  return hash.digest('hex');
}

function isInput(name: string): boolean {
  return name !== 'node_modules' && name !== 'dist' && !/\.test\.tsx?$/.test(name);
}

/** Reads synchronously, which is several times faster for a thousand small files. */
function hashTree(hash: Hash, path: string, includes: (name: string) => boolean): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile()) {
    const bytes = readFileSync(path);
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  } else if (stats?.isDirectory()) {
    for (const name of readdirSync(path).sort())
      if (includes(name)) hashTree(hash, join(path, name), includes);
  }
}

/** The folder itself and those of the workspace packages that it depends on, directly or not. */
function withDependencies(root: string, source: string, found: string[] = []): string[] {
  if (found.includes(source)) return found;
  found.push(source);
  const manifest = JSON.parse(readFileSync(join(root, source, 'package.json'), 'utf8'));
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }))
    if (name.startsWith('@executor/')) withDependencies(root, name.replace('@executor', 'packages'), found);
  return found;
}
