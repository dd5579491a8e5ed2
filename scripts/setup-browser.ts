import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

declare module 'vitest' {
  interface ProvidedContext {
    /** The executable of the Chromium that browser tests drive. */
    chromium: string;
  }
}

/** The path of a Chromium-like browser: the one named by EXECUTOR_CHROMIUM, one that is there, or one that is now installed. */
export async function ensureBrowser(): Promise<string> {
  const named = process.env.EXECUTOR_CHROMIUM;
  if (named)
    return isExecutable(named) ? named : fail(`EXECUTOR_CHROMIUM names ${named}, which is not a program.`);
  const found = findBrowser() ?? installWithApt() ?? installWithPlaywright();
  return found ?? fail('There is no browser for the browser tests, and none could be installed.');
}

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
];

function findBrowser(): string | undefined {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => names.map((name) => join(folder, name + suffix)));
  return [...onPath, ...usualPlaces(), chromium.executablePath()].find(isExecutable);
}

function usualPlaces(): string[] {
  switch (process.platform) {
    case 'darwin':
      return ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
        (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
      );
    case 'win32':
      return [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
        .filter((folder) => folder !== undefined)
        .flatMap((folder) => [
          join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
          join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
        ]);
    default:
      return ['/snap/bin/chromium'];
  }
}

function installWithApt(): string | undefined {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || spawnSync('apt-get', ['--version']).status !== 0) return undefined;
  console.log('Installing Chromium for the browser tests (apt-get install chromium): this takes a minute …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update'], { env });
  run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { env });
  return findBrowser();
}

function installWithPlaywright(): string | undefined {
  console.log('Downloading Chromium for the browser tests (playwright-core install chromium) …');
  const manifest = createRequire(import.meta.url).resolve('playwright-core/package.json');
  run(process.execPath, [join(dirname(manifest), 'cli.js'), 'install', 'chromium']);
  return findBrowser();
}

/** Says what went wrong, and leaves it to the next way to get a browser. */
function run(program: string, args: string[], options: SpawnSyncOptions = {}): void {
  const { status, stdout, stderr } = spawnSync(program, args, { ...options, encoding: 'utf8' });
  if (status !== 0) console.error(`${[program, ...args].join(' ')} failed:\n${stdout}${stderr}`);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function fail(problem: string): never {
  throw new Error(
    `${problem} Install Chromium or Chrome (Debian and Ubuntu: \`sudo apt-get install chromium\`; macOS: \`brew install --cask chromium\`; Windows: \`winget install Google.Chrome\`), or set EXECUTOR_CHROMIUM to the path of one.`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await ensureBrowser());
