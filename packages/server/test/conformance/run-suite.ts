import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conformanceNode, conformanceProgram } from '../../../../scripts/setup-conformance.ts';

export type Revision = Parameters<typeof conformanceProgram>[0];

/** The arguments that select all scenarios of a release of the suite. */
const selection: Record<Revision, string[]> = {
  '2025-11-25': ['--suite', 'all'],
  '2026-07-28': ['--requirements', '2026-07-28'],
};

/** The failed checks by scenario. */
export type Outcome = Map<string, string[]>;

/** Runs the official suite against a server. Its exit code is ignored, because expected failures change it. Its output files count. */
export async function runSuite(revision: Revision, url: string): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'executor-conformance-'));
  try {
    const args = ['server', '--url', `${url}/mcp`, ...selection[revision], '-o', folder];
    const output = await run([conformanceProgram(revision), ...args]);
    const outcome = await readOutcome(folder);
    if (outcome.size === 0) throw new Error(`The suite ran nothing:\n${output}`);
    return outcome;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(args: string[]): Promise<string> {
  return new Promise((resolve) => {
    const limits = { timeout: 120_000, maxBuffer: 64 * 1024 * 1024 };
    execFile(conformanceNode, args, limits, (_, stdout, stderr) => resolve(`${stdout}${stderr}`));
  });
}

export interface Check {
  id: string;
  status: string;
}

/** Reads the output of the suite: one folder for each scenario. */
export async function readChecks(
  folder: string,
  prefix: string,
): Promise<{ scenario: string; checks: Check[] }[]> {
  const found: { scenario: string; checks: Check[] }[] = [];
  const pattern = new RegExp(`^${prefix}-(.+)-\\d{4}-\\d\\d-\\d\\dT[\\d-]+Z$`);
  for (const name of (await readdir(folder)).toSorted()) {
    const scenario = pattern.exec(name)?.[1];
    if (scenario === undefined) continue;
    const checks = JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8'));
    found.push({ scenario, checks });
  }
  return found;
}

async function readOutcome(folder: string): Promise<Outcome> {
  const outcome: Outcome = new Map();
  for (const { scenario, checks } of await readChecks(folder, 'server')) {
    const failed = checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id);
    outcome.set(scenario, [...new Set(failed)].toSorted());
  }
  return outcome;
}
