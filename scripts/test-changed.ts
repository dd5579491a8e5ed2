import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isTest, readImports } from './check-imports.ts';
import { fitTime, relatedTests } from './related-tests.ts';
import { secondsOf } from './slow-first.ts';

/**
 * `npm run test:changed [-- BASE]`: the checks, and the tests that the changes since BASE can affect, uncommitted changes included. BASE
 * is the commit where the branch left `origin/main`, or else HEAD. Tests that would take more than two minutes are left to `npm test`.
 */
/** The rest of two minutes is for the builds. */
const maxSeconds = 90;
/** How many test files run at once on two cores without slowing each other down. */
const workers = 2;
const root = fileURLToPath(new URL('..', import.meta.url));
const base = process.argv[2] ?? (git('merge-base', 'HEAD', 'origin/main')[0] || 'HEAD');
const changed = [
  ...git('diff', '--name-only', '--no-renames', base),
  ...git('ls-files', '--others', '--exclude-standard'),
];
const tests = git('ls-files', '--cached', '--others', '--exclude-standard').filter(
  (file) => isTest(file) && existsSync(join(root, file)),
);
const related = relatedTests(changed, readImports(root), tests);
const { chosen, left } = fitTime(related, maxSeconds * workers, secondsOf);
console.log(`${changed.length} files changed since ${base}: ${chosen.length} of ${tests.length} test files`);
if (left.length > 0)
  console.log(`${left.length} other test files are left to npm test, to stay under two minutes.`);
const succeeded = await Promise.all([
  run('node_modules/tsx/dist/cli.mjs', 'scripts/check.ts'),
  chosen.length === 0 || run('node_modules/vitest/vitest.mjs', 'run', ...chosen),
]);
process.exitCode = succeeded.every(Boolean) ? 0 : 1;

function git(...args: string[]): string[] {
  const { stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line !== '');
}

async function run(...args: string[]): Promise<boolean> {
  const [status] = await once(spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }), 'close');
  return status === 0;
}
