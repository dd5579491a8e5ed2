import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `npm test`: the checks and every test, with a last line that counts both. The checks run beside the builds and the first tests.
 * `--long` adds the long forms of chaos, fuzz and corpus tests, and runs everything on Node 24 as well. `--attack` runs the long forms of
 * the attacks (`*.attack.test.ts`) and nothing else, one file after the other, because they measure.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const long = process.argv.includes('--long');
const attack = process.argv.includes('--attack');

/** The part of Vitest's JSON report that is read here. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: FileReport[];
}

interface FileReport {
  name: string;
  status: string;
  startTime: number;
  endTime: number;
  assertionResults: unknown[];
}

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

const tests = () => runTests('this Node', process.execPath);
const counts = await Promise.all(attack ? [tests()] : [runChecks(), tests()]);
if (long) counts.push(await runOnNode24());
const total = (key: keyof Count) => counts.reduce((sum, count) => sum + count[key], 0);
console.log(
  `\n${total('passed')} passed, ${total('failed')} failed${total('skipped') > 0 ? `, ${total('skipped')} skipped` : ''}`,
);
process.exitCode = total('failed') === 0 ? 0 : 1;

async function runChecks(): Promise<Count> {
  const status = await run(process.execPath, [tsx(), 'scripts/check.ts']);
  return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 };
}

async function runTests(name: string, node: string): Promise<Count> {
  console.log(`\ntests on ${name}`);
  try {
    const { report, succeeded } = await runVitest(node);
    showSlowest(report.testResults);
    return count(report, succeeded);
  } catch (error) {
    console.error(`The tests did not run to their end: ${(error as Error).message}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

async function runVitest(node: string): Promise<{ report: Report; succeeded: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), 'executor-test-report-'));
  const file = join(folder, 'report.json');
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`];
  try {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const status = await run(node, [vitest, 'run', ...reporters, ...chosen()], { env: environment() });
    return { report: JSON.parse(readFileSync(file, 'utf8')), succeeded: status === 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function chosen(): string[] {
  return attack ? ['.attack.test.ts', '--no-file-parallelism'] : [];
}

function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...((long || attack) && { EXECUTOR_TEST_LONG: '1' }),
    ...(attack && { EXECUTOR_TEST_ATTACK: '1' }),
  };
}

/** Shows which files take longest. The whole run should take less than 8 minutes on two quiet cores. */
function showSlowest(files: FileReport[]): void {
  const seconds = ({ startTime, endTime }: FileReport) => (endTime - startTime) / 1000;
  const slowest = files.toSorted((one, other) => seconds(other) - seconds(one)).slice(0, 12);
  console.log('\nthe slowest files');
  for (const file of slowest) {
    console.log(`${seconds(file).toFixed(0).padStart(5)} s  ${relative(root, file.name)}`);
  }
}

/** A file that could not be loaded, or an error outside of any test, also counts as a failure. */
function count(
  { numPassedTests, numFailedTests, numPendingTests, testResults }: Report,
  succeeded: boolean,
): Count {
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
  const failed = numFailedTests + broken;
  return {
    passed: numPassedTests,
    failed: failed === 0 && !succeeded ? 1 : failed,
    skipped: numPendingTests,
  };
}

async function runOnNode24(): Promise<Count> {
  const folder = join(root, 'scripts/node24');
  const status = await run('npm', ['ci'], { cwd: folder, shell: process.platform === 'win32' });
  if (status === 0) return runTests('Node 24', join(folder, 'node_modules/.bin/node'));
  console.error('Node 24 could not be installed.');
  return { passed: 0, failed: 1, skipped: 0 };
}

/** The exit code of a program that writes to our terminal. */
async function run(program: string, args: string[], options: SpawnOptions = {}): Promise<number | null> {
  const [status] = await once(spawn(program, args, { cwd: root, stdio: 'inherit', ...options }), 'close');
  return status;
}

function tsx(): string {
  return join(root, 'node_modules/tsx/dist/cli.mjs');
}
