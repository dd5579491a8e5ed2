import { loadConfig } from '@executor/home';
import { ExecutorError, printable } from '@executor/protocol';
import { findDaemon } from '../../daemon/find-daemon.ts';
import { checkAgents } from '../../doctor/agents.ts';
import { checkAuthorizationServer } from '../../doctor/authorization-server.ts';
import { type Check, failed, ok } from '../../doctor/check.ts';
import {
  checkDaemon,
  checkDatabase,
  checkFolders,
  checkPort,
  checkSandbox,
  checkToken,
} from '../../doctor/installation.ts';
import { checkClock, checkDisk, checkNode } from '../../doctor/machine.ts';
import { checkConfiguredSources } from '../../doctor/sources.ts';
import { checkWorkers } from '../../doctor/workers.ts';
import type { Environment } from '../../environment.ts';
import { style } from '../../style.ts';

export async function doctor(environment: Environment, { json = false }: { json?: boolean }): Promise<void> {
  const checks = await examine(environment);
  const healthy = checks.every((check) => check.state !== 'failed');
  if (!healthy) environment.exitCode = 1;
  if (json) return environment.printJson({ ok: healthy, checks });
  for (const { name, state, message, fix } of checks) {
    environment.print(`${marks[state]} ${name.padEnd(13)} ${printable(message)}`);
    if (fix) environment.print(`  ${' '.repeat(13)} ${style.bold(fix)}`);
  }
  environment.print(`\n${conclusion(checks)}`);
}

function conclusion(checks: Check[]): string {
  const has = (state: Check['state']) => checks.some((check) => check.state === state);
  if (has('failed')) return 'What is marked ✗ must be mended first.';
  return has('warning') ? 'Executor works; look at what is marked !.' : 'All is well.';
}

const marks: Record<Check['state'], string> = {
  ok: style.green('✓'),
  warning: style.yellow('!'),
  failed: style.red('✗'),
};

async function examine(environment: Environment): Promise<Check[]> {
  const { folders } = environment;
  const config = readConfig(environment);
  if (config instanceof ExecutorError) {
    return [
      checkNode(),
      ...checkFolders({ folders }),
      failed('config', config.message, 'Correct it; the other checks need it.'),
    ];
  }
  const patient = { folders, config, daemon: await findDaemon(folders) };
  const database = await checkDatabase(patient);
  return [
    checkNode(),
    ...checkFolders(patient),
    ok('config', 'can be read'),
    await checkToken(patient),
    checkDaemon(patient),
    await checkPort(patient),
    database.check,
    ...(await checkWorkers(environment, patient)),
    ...(await checkConfiguredSources(patient)),
    ...checkAgents(patient),
    ...(await checkAuthorizationServer(patient)),
    await checkSandbox(),
    await checkDisk(patient),
    checkClock(database.clockSkewMs),
  ];
}

function readConfig({ folders, variables }: Environment) {
  try {
    return loadConfig({ folders, env: variables });
  } catch (error) {
    if (error instanceof ExecutorError) return error;
    throw error;
  }
}
