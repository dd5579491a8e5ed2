import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { installWithApt, tryRun } from './apt.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The executable of the Chromium that browser tests drive. */
    chromium: string;
  }
}

/** The path of a Chromium-like browser: the one in EXECUTOR_CHROMIUM, an installed one, or one that is installed now. */
export async function ensureBrowser(): Promise<string> {
  const named = process.env.EXECUTOR_CHROMIUM;
  if (named)
    return isExecutable(named) ? named : fail(`EXECUTOR_CHROMIUM names ${named}, which is not a program.`);
  const found = findBrowser() ?? installedByApt() ?? installWithPlaywright();
  return found ?? fail('The browser tests need a browser, and none could be installed.');
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
  return [...onPath, ...usualPaths(), chromium.executablePath()].find(isExecutable);
}

function usualPaths(): string[] {
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

function installedByApt(): string | undefined {
  return installWithApt('chromium', 'the browser tests') ? findBrowser() : undefined;
}

function installWithPlaywright(): string | undefined {
  console.log('Downloading Chromium for the browser tests (playwright-core install chromium) …');
  const manifest = createRequire(import.meta.url).resolve('playwright-core/package.json');
  tryRun(process.execPath, [join(dirname(manifest), 'cli.js'), 'install', 'chromium']);
  return findBrowser();
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
