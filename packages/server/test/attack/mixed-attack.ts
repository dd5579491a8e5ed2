import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from '@executor/client';
import type { World } from '../chaos/world.ts';
import { diskUseOf, memoryOf } from '../process-memory.ts';
import type { AttackSettings } from './attack.program.ts';
import { BesiegedPerson } from './besieged-person.ts';
import { HostileApi } from './hostile-api.ts';
import type { Times } from './times.ts';

const program = fileURLToPath(new URL('../../dist/test/attack/attack.program.js', import.meta.url));

export interface MixedAttack {
  /** What the person and the fourth agent waited for. */
  times: Times;
  decided: BesiegedPerson['decided'];
  /** How often each attack was carried out. */
  attacks: Record<string, number>;
  /** The most memory that all processes of the product had, and the most bytes in the home folder. */
  peak: { memoryMb: number; diskMb: number };
}

/** Three keys attack for a while. Meanwhile a person works, and a fourth agent runs small runs. */
export async function mixedAttack(world: World, forMs: number): Promise<MixedAttack> {
  const api = await HostileApi.start();
  try {
    await connect(world, api);
    const [fourth, honest, ...attackers] = await createKeys(world, 5);
    const person = new BesiegedPerson(world, honest as string);
    const { times, decided } = person;
    const signal = AbortSignal.timeout(forMs);
    const [attacks, peak] = await Promise.all([
      attack({ url: world.url, keys: attackers, forMs }),
      watch(world, signal),
      person.live(signal),
      runSmallRuns(world, { key: fourth as string, times, signal }),
    ]);
    return { times, decided, attacks, peak };
  } finally {
    api.close();
  }
}

async function connect({ client }: World, api: HostileApi): Promise<void> {
  await client.sources.create(
    { document: api.document(), namespace: 'hostile', allowPrivateNetwork: true },
    { timeoutMs: 60_000 },
  );
  await client.policies.create({ pattern: 'hostile.all.note', decision: 'allow' });
}

function createKeys({ client }: World, count: number): Promise<string[]> {
  const create = async (number: number) =>
    (await client.apiKeys.create({ name: `agent ${number}`, kind: 'agent' })).key;
  return Promise.all(Array.from({ length: count }, (_, number) => create(number)));
}

/** Attacks from a process of its own, so that its work does not delay the person of the test. */
async function attack(settings: AttackSettings): Promise<Record<string, number>> {
  const child = spawn(process.execPath, [program, JSON.stringify(settings)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    return JSON.parse(await text(child.stdout));
  } finally {
    child.kill('SIGKILL');
  }
}

async function runSmallRuns(
  { url }: World,
  { key, times, signal }: { key: string; times: Times; signal: AbortSignal },
): Promise<void> {
  const client = createClient({ url, token: key, timeoutMs: 120_000 });
  for (let turn = 0; !signal.aborted; turn += 1) {
    const { status, result } = await times.measure('small run of a fourth agent', () =>
      client.executions.create({ code: `return ${turn}`, waitMs: 60_000 }),
    );
    if (status !== 'completed' || result !== turn) throw new Error(`A small run ended as ${status}.`);
    await sleep(200);
  }
}

/** Watches the memory of the product's processes and the size of its folder. */
async function watch(world: World, signal: AbortSignal): Promise<MixedAttack['peak']> {
  const peak = { memoryMb: 0, diskMb: 0 };
  while (!signal.aborted) {
    const memory = [world.server, ...world.workers].reduce((sum, { pid }) => sum + memoryOf(pid), 0);
    peak.memoryMb = Math.max(peak.memoryMb, memory);
    peak.diskMb = Math.max(peak.diskMb, diskUseOf(world.home));
    await sleep(500);
  }
  return peak;
}
