import { spawnSync } from 'node:child_process';

/** `npm run check`: types; lint, format, import direction and cycles; unused code. All run, so that one round shows all there is to mend. */
const checks = [
  // By its path: the sandbox has an older compiler, which may have taken the name.
  { name: 'types', command: ['node', 'node_modules/typescript/bin/tsc', '--project', '.'] },
  { name: 'lint, format, import direction and cycles', command: ['biome', 'ci', '--error-on-warnings', '.'] },
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
