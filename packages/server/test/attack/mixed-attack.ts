import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@executor/client';
import type { World } from '../chaos/world.ts';
import type { AttackSettings } from './attack.program.ts';
import { BesiegedPerson } from './besieged-person.ts';
import { Program } from './program.ts';
import type { Times } from './times.ts';
import { until, untilAnswered } from './until.ts';
import type { Peak, WatchSettings } from './watch.program.ts';

export interface MixedAttack {
  /** What the person and the fourth agent waited for. */
  times: Times;
  decided: BesiegedPerson['decided'];
  /** How often each attack was carried out. */
  attacks: Record<string, number>;
  /** The largest memory of the product's processes, and the largest size of the home folder. */
  peak: Peak;
}

/**
 * Some keys attack for a while, and until the person has approved a call: on a busy machine that takes longer. Meanwhile a person works,
 * and a fourth agent runs small runs.
 */
export async function mixedAttack(
  world: World,
  { attackers: count, forMs }: { attackers: number; forMs: number },
): Promise<MixedAttack> {
  const api = new Program('hostile-api');
  const stopping = new AbortController();
  try {
    await connect(world, await api.next<string>());
    const [fourth, honest, ...attackers] = await createKeys(world, 2 + count);
    const person = new BesiegedPerson(world, honest as string);
    const { times, decided } = person;
    const { signal } = stopping;
    setMaxListeners(0, signal);
    const hasApproved = async () => decided.approved.length > 0 || undefined;
    const enough = sleep(forMs).then(() => until(hasApproved));
    const [attacks, peak] = await Promise.all([
      attack({ url: world.url, keys: attackers }, signal),
      watch(world, signal),
      person.live(signal),
      runSmallRuns(world, { key: fourth as string, times, signal }),
      enough.finally(() => stopping.abort()),
    ]);
    return { times, decided, attacks, peak };
  } finally {
    stopping.abort();
    await api.kill();
  }
}

async function connect({ client }: World, document: string): Promise<void> {
  await client.sources.create(
    { document, namespace: 'hostile', allowPrivateNetwork: true },
    { timeoutMs: 60_000 },
  );
  await client.policies.create({ pattern: 'hostile.all.note', decision: 'allow' });
}

function createKeys({ client }: World, count: number): Promise<string[]> {
  const create = async (number: number) =>
    (await client.apiKeys.create({ name: `agent ${number}`, kind: 'agent' })).key;
  return Promise.all(Array.from({ length: count }, (_, number) => create(number)));
}

async function attack(settings: AttackSettings, signal: AbortSignal): Promise<Record<string, number>> {
  const program = new Program('attack', settings);
  signal.addEventListener('abort', () => program.endInput(), { once: true });
  try {
    return await program.next();
  } finally {
    await program.kill();
  }
}

async function runSmallRuns(
  { url }: World,
  { key, times, signal }: { key: string; times: Times; signal: AbortSignal },
): Promise<void> {
  const client = createClient({ url, token: key, timeoutMs: 120_000 });
  for (let turn = 0; !signal.aborted; turn += 1) {
    const run = { code: `return ${turn}`, waitMs: 60_000, idempotencyKey: `run ${turn}` };
    const { status, result } = await times.measure('small run of a fourth agent', () =>
      untilAnswered(() => client.executions.create(run)),
    );
    if (status !== 'completed' || result !== turn) throw new Error(`A small run ended as ${status}.`);
    await sleep(200);
  }
}

/** Watches the memory of the product's processes and the size of its folder. */
async function watch({ server, workers, home }: World, signal: AbortSignal): Promise<Peak> {
  const pids = [server, ...workers].map(({ pid }) => pid);
  const program = new Program('watch', { pids, home } satisfies WatchSettings);
  signal.addEventListener('abort', () => program.endInput(), { once: true });
  try {
    return await program.next();
  } finally {
    await program.kill();
  }
}
