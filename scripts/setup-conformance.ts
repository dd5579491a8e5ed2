import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const conformance = fileURLToPath(new URL('conformance', import.meta.url));
const node24 = fileURLToPath(new URL('node24', import.meta.url));

/** The Node that runs the suite: this one if it is new enough, else the installed one. */
export const conformanceNode =
  Number(process.versions.node.split('.')[0]) >= 22 ? process.execPath : `${node24}/node_modules/.bin/node`;

export function conformanceProgram(revision: '2025-11-25' | '2026-07-28'): string {
  return `${conformance}/node_modules/conformance-${revision}/dist/index.js`;
}

/** Installs the official conformance suite and its Node, once. */
export async function ensureConformance(): Promise<void> {
  if (!existsSync(conformanceProgram('2026-07-28'))) await install(conformance);
  if (!existsSync(conformanceNode)) await install(node24);
}

async function install(cwd: string): Promise<void> {
  const shell = process.platform === 'win32';
  await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund'], { cwd, shell });
}
