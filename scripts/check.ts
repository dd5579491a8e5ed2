import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** `npm run check`: types, lint, format, imports and unused code. All checks run, so that one run shows every error. */
const checks = [
  // By its path: the sandbox depends on an older compiler, which may own the name `tsc`.
  { name: 'types', command: ['node', 'node_modules/typescript/bin/tsc', '--project', '.'] },
  { name: 'lint and format', command: ['biome', 'ci', '--error-on-warnings', '.'] },
  { name: 'import direction and cycles', command: ['tsx', 'scripts/check-imports.ts'] },
  { name: 'unused code', command: ['knip', '--no-progress'] },
];

const results = await Promise.all(checks.map(({ command }) => run(command as [string, ...string[]])));
for (const [index, { status, output }] of results.entries()) {
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${checks[index]?.name}`);
  if (status !== 0) console.log(output);
}
process.exitCode = results.every(({ status }) => status === 0) ? 0 : 1;

async function run([program, ...args]: [string, ...string[]]): Promise<{ status: number; output: string }> {
  const child = spawn(program, args, { shell: process.platform === 'win32' });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [status] = await once(child, 'close');
  return { status, output };
}
