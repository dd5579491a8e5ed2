import { setTimeout as sleep } from 'node:timers/promises';
import { type Execution, isFinished } from '@executor/protocol';
import { randomMoment } from './moment.ts';
import { Person } from './person.ts';
import type { World } from './world.ts';

/** How a run ended, without the fields that differ between repetitions. */
export type Ending = Pick<Execution, 'status' | 'result'> & { error?: string; logs: string[] };

export interface Performance {
  person: Person;
  /** The runs, in the order of their scripts. */
  ids: string[];
  endings: Ending[];
}

/**
 * Starts a run of every script, a share of them before each disturbance, answers their questions, and waits for all of them to end.
 * Throws if they do not end in time.
 */
export async function perform(
  world: World,
  scripts: string[],
  options: { random: () => number; disturbances?: number; disturb?(turn: number): Promise<void> },
): Promise<Performance> {
  const { random, disturbances = 0, disturb = async () => {} } = options;
  await allowFree(world);
  const person = new Person(world, random);
  person.begin();
  try {
    const starting: Promise<string>[] = [];
    const share = Math.ceil(scripts.length / Math.max(1, disturbances));
    for (let turn = 0; turn < Math.max(1, disturbances); turn++) {
      const from = turn * share;
      const part = scripts.slice(from, from + share).map((code, index) => start(world, code, from + index));
      for (const promise of part) promise.catch(() => {});
      starting.push(...part);
      if (turn >= disturbances) break;
      await randomMoment(world.ledger, random);
      await disturb(turn);
    }
    const ids = await Promise.all(starting);
    const endings = await endingsOf(world, ids);
    return { person, ids, endings };
  } finally {
    await person.end();
  }
}

/** Allows calls whose key begins with `free`. */
export async function allowFree(world: World): Promise<void> {
  for (const operation of ['write', 'put']) {
    const conditions = [{ field: 'key', prefix: 'free ' }];
    const rule = { scope: { type: 'workspace' }, conditions, decision: 'allow' } as const;
    await world.client.policies.create({ ...rule, conditions, pattern: `ledger.${operation}` });
  }
}

/** Starts one run. The idempotency key makes retries safe. */
async function start(world: World, code: string, number: number): Promise<string> {
  const request = { code, idempotencyKey: `script ${number}` };
  const { id } = await world.request((client) => client.executions.create(request), Date.now() + 300_000);
  return id;
}

async function endingsOf(world: World, ids: string[]): Promise<Ending[]> {
  const deadline = Date.now() + 180_000;
  const endings: Ending[] = [];
  for (const id of ids) {
    let execution = await world.request((client) => client.executions.get({ id }));
    while (!isFinished(execution.status)) {
      if (Date.now() > deadline) throw new Error(`The run did not end: ${await describeRun(world, id)}`);
      await sleep(100);
      execution = await world.request((client) => client.executions.get({ id }));
    }
    const { status, result, error, logs } = execution;
    endings.push({
      status,
      result,
      ...(error && { error: `${error.code}: ${error.message}` }),
      logs: logs.map(({ text }) => text),
    });
  }
  return endings;
}

/** The journal of a run and its requests to the ledger, for a failure message. */
export async function describeRun(world: World, id: string): Promise<string> {
  const lines: string[] = [];
  const execution = await world.client.executions.get({ id });
  lines.push(
    JSON.stringify({ status: execution.status, interactions: execution.interactions }),
    execution.code,
  );
  const events = world.client.executions.events({ id, follow: 'false' });
  for await (const event of events) lines.push(JSON.stringify(event));
  lines.push(
    ...world.ledger.entries
      .filter(({ callId }) => callId.startsWith(id))
      .map((entry) => JSON.stringify(entry)),
  );
  return lines.join('\n');
}
