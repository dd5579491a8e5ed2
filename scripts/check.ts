import { spawnSync } from 'node:child_process';

/** `npm run check`: types, lint, format, imports and unused code. All checks run, so that one run shows every error. */
const checks = [
  // By its path: the sandbox depends on an older compiler, which may own the name `tsc`.
  { name: 'types', command: ['node', 'node_modules/typescript/bin/tsc', '--project', '.'] },
  { name: 'lint and format', command: ['biome', 'ci', '--error-on-warnings', '.'] },
  { name: 'import direction and cycles', command: ['tsx', 'scripts/check-imports.ts'] },
  { name: 'unused code', command: ['knip', '--no-progress'] },
];

let failed = 0;
for (const { name, command } of checks) {
  const [program, ...args] = command as [string, ...string[]];
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  if (status === 0) continue;
  failed += 1;
  console.log(`${stdout}${stderr}`);
}
process.exitCode = failed === 0 ? 0 : 1;
