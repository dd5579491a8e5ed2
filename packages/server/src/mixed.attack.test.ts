import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../store/test/test-database.ts';
import { type MixedAttack, mixedAttack } from '../test/attack/mixed-attack.ts';
import { World } from '../test/chaos/world.ts';

/**
 * Three keys attack for a while with everything that an ordinary agent key can do. Meanwhile a person signs in, lists, approves, denies,
 * cancels and revokes once a second, and a fourth agent runs small runs. The short form shows that nothing is lost and no key exceeds its quota. The long form
 * (EXECUTOR_TEST_LONG=1) takes five minutes, alone on its machine, and holds all answers to their limits.
 */
const isLong = process.env.EXECUTOR_TEST_LONG === '1';
/** The short form runs beside other tests, and one key loads the machine enough. */
const attackers = isLong ? 3 : 1;
const forMs = isLong ? 5 * 60_000 : 6_000;
const limits = { personMs: 2_000, smallRunMs: 5_000, memoryMb: 1_024, diskMb: 250 };
const mebibyte = 1024 * 1024;
/** So small that the attack reaches it. */
const quota = 4 * mebibyte;
/** What runs have received is journaled in any case, and then their next calls are refused. */
const inFlight = 16 * mebibyte;
const settings = { leaseMs: 12_000, evictAfterMs: 1_000, limits: { 'storedBytes.perKey': quota } };

test(
  'Attacking keys take nothing from a person and a fourth agent',
  async () => {
    const world = await World.start(settings);
    onTestFinished(() => world.close());
    await expectUnharmed(world);
  },
  10 * 60_000,
);

test(
  'Attacking keys take nothing from a person and a fourth agent, on Postgres with two workers',
  async () => {
    const database = await createDatabase();
    onTestFinished(database.drop);
    const world = await World.start({ ...settings, databaseUrl: database.url }, 2);
    onTestFinished(() => world.close());
    await expectUnharmed(world);
  },
  10 * 60_000,
);

async function expectUnharmed(world: World): Promise<void> {
  const attack = await mixedAttack(world, { attackers, forMs });
  console.log(report(attack));
  expect([world.server, ...world.workers].map(({ hasEnded }) => hasEnded)).not.toContain(true);
  expectNothingLost(world, attack);
  await expectWithinQuota(world);
  if (isLong) expectInTime(attack);
}

/** Each approved write arrived once, and no other one. */
function expectNothingLost({ ledger }: World, { decided }: MixedAttack): void {
  const written = ledger.entries.filter(({ operation }) => operation === 'write').map(({ key }) => key);
  expect(written.toSorted()).toEqual(decided.approved.toSorted());
}

async function expectWithinQuota({ client }: World): Promise<void> {
  const { items } = await client.resources.list();
  const { users } = items.find(({ name }) => name === 'storedBytes') ?? { users: [] };
  expect(users.length).toBeGreaterThan(0);
  for (const { used } of users) expect(used).toBeLessThan(quota + inFlight);
}

function expectInTime({ times, peak }: MixedAttack): void {
  const { 'small run of a fourth agent': smallRun, 'start a run that asks': _, ...person } = times.longest;
  expect(smallRun).toBeLessThan(limits.smallRunMs);
  for (const [step, ms] of Object.entries(person))
    expect({ step, ms, isInTime: ms < limits.personMs }).toMatchObject({ isInTime: true });
  expect(peak.memoryMb).toBeLessThan(limits.memoryMb);
  expect(peak.diskMb).toBeLessThan(limits.diskMb);
}

function report({ times, attacks, peak }: MixedAttack): string {
  const { memoryMb, totalMemoryMb, diskMb } = peak;
  const megabytes = [memoryMb, totalMemoryMb, diskMb].map((value) => value.toFixed(0));
  const peaks = `peak: ${megabytes[0]} MB of memory in one process with its children, ${megabytes[1]} MB in all, ${megabytes[2]} MB on disk`;
  const counts = Object.entries(attacks).map(([name, count]) => `${count}x ${name}`);
  return `${times.table()}\n${peaks}\n${counts.join(', ')}`;
}
