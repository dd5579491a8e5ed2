import { ExecutorError, type ResourceUsage } from '@executor/protocol';
import type { Environment } from '../environment.ts';
import { createClient } from '../server/client.ts';
import { serverOf } from './answering-server.ts';
import { type Check, failed, type Installation, ok, warning } from './check.ts';

/** Reports the limits of each resource and who uses it. Empty if no server runs. */
export async function checkResources(environment: Environment, installation: Installation): Promise<Check[]> {
  try {
    const server = serverOf(environment, installation);
    if (server === undefined) return [];
    const { items } = await createClient({ ...server, timeoutMs: 5_000 }).resources.list();
    return items.map(describe);
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error;
    return [failed('limits', `the server did not answer: ${error.message}`, 'See `executor logs`.')];
  }
}

function describe(usage: ResourceUsage): Check {
  const { name, description, unit, limits, used, byAgents, waiting, users } = usage;
  const amount = (value: number) => (unit === 'bytes' ? bytesText(value) : String(value));
  const limit = `${amount(limits.perKey)} per key, ${amount(limits.agents)} for agents, ${amount(limits.total)} in all`;
  const message = `${description}: ${amount(used)} of ${limit}`;
  if (byAgents < limits.agents && waiting === 0) return ok('limits', message);
  const by = users.map(({ key, used: part }) => `${key} ${amount(part)}`).join(', ');
  const fix = `Used by ${by}. Revoke a key with \`executor keys rm\`, or raise ${name} with \`executor config set limits\`.`;
  return warning('limits', `${message}, ${waiting} waiting`, fix);
}

function bytesText(bytes: number): string {
  return `${Math.round(bytes / 1024 / 102.4) / 10} MB`;
}
