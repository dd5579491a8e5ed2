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
import { checkModel } from '../../doctor/model.ts';
import { checkResources } from '../../doctor/resources.ts';
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
  if (has('failed')) return 'Fix the checks marked ✗ first.';
  return has('warning') ? 'Executor works. Look at the checks marked !.' : 'No problems found.';
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
      failed('config', config.message, 'Correct it. The other checks need it.'),
    ];
  }
  const installation = { folders, config, daemon: await findDaemon(folders) };
  const database = await checkDatabase(installation);
  return [
    checkNode(),
    ...checkFolders(installation),
    ok('config', 'valid'),
    await checkToken(installation),
    checkDaemon(installation),
    await checkPort(installation),
    database.check,
    ...(await checkWorkers(environment, installation)),
    ...(await checkResources(environment, installation)),
    ...(await checkConfiguredSources(installation)),
    ...checkAgents(installation),
    ...(await checkAuthorizationServer(installation)),
    ...(await checkModel(installation)),
    await checkSandbox(),
    await checkDisk(installation),
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
