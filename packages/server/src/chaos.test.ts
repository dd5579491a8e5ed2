import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, onTestFailed, onTestFinished, test } from 'vitest';
import { startPostgres } from '../../../scripts/test-postgres.ts';
import { seededRandom } from '../../store/test/seeded-random.ts';
import { createDatabase } from '../../store/test/test-database.ts';
import { disturbDaemon, disturbWorkers, killDuringWrite } from '../test/chaos/disturb.ts';
import { effectsOf, expectNothingWrong, expectReplays } from '../test/chaos/invariants.ts';
import { type Ending, type Performance, perform } from '../test/chaos/perform.ts';
import { chaosScripts } from '../test/chaos/scripts.ts';
import { World } from '../test/chaos/world.ts';

/**
 * Runs in real processes, which are killed, and stopped past their lease, while a ledger outside of them counts every request. A seed
 * repeats the disturbances, not the timing of the processes. It still reproduces most failures.
 *
 * The short form has a fixed seed and each shape of script once. EXECUTOR_TEST_LONG=1 takes a random seed and thousands of runs.
 */
const isLong = process.env.EXECUTOR_TEST_LONG === '1';
const seed = Number(process.env.EXECUTOR_TEST_SEED ?? (isLong ? Math.floor(Math.random() * 1e9) : 1));
const hours = 3_600_000;

const scripts = chaosScripts(isLong ? 1_300 : 13);
const replays = isLong ? 30 : 6;
let undisturbed: { endings: Ending[]; effects: string[] };

beforeAll(async () => {
  const world = await World.start();
  try {
    const { endings, person } = await perform(world, scripts, { random: seededRandom(seed) });
    undisturbed = { endings, effects: effectsOf(world.ledger) };
    expect(person.answers.filter(({ action }) => action === 'retry' || action === 'complete')).toEqual([]);
  } finally {
    await world.close();
  }
}, hours);

const daemonDisturbances = isLong ? 200 : 4;
test(
  `${scripts.length} runs end as if undisturbed, although their daemon is killed or stopped ${daemonDisturbances} times`,
  async () => {
    const world = await World.start();
    onTestFinished(() => world.close());
    const random = seededRandom(seed + 2);
    await expectUndisturbedBy(world, daemonDisturbances, () => disturbDaemon(world, random));
  },
  hours,
);

const workerDisturbances = isLong ? 60 : 3;
test(
  `${scripts.length} runs end as if undisturbed, although two workers on Postgres are killed or stopped ${workerDisturbances} times`,
  async () => {
    const database = await createDatabase();
    onTestFinished(database.drop);
    const world = await World.start({ databaseUrl: database.url }, 2);
    onTestFinished(() => world.close());
    const random = seededRandom(seed + 2);
    await expectUndisturbedBy(world, workerDisturbances, () => disturbWorkers(world, random));
  },
  hours,
);

// The short form of an outage is in chaos-postgres.test.ts.
test.runIf(isLong)(
  `${scripts.length} runs of two workers end as if undisturbed, although Postgres stops for ten seconds`,
  async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.remove());
    const world = await World.start({ databaseUrl: postgres.url }, 2);
    onTestFinished(() => world.close());
    await expectUndisturbedBy(world, 2, async () => {
      await postgres.stop();
      await sleep(10_000);
      await postgres.start();
      return 'database stopped and started';
    });
  },
  hours,
);

/** The first disturbance is always a kill during a write. */
async function expectUndisturbedBy(
  world: World,
  disturbances: number,
  disturbOnce: () => Promise<string>,
): Promise<void> {
  const record = new DisturbanceRecord(world);
  const random = seededRandom(seed + 1);
  const kill = killDuringWrite(world);
  const disturb = async (turn: number) => record.add(turn === 0 ? await kill() : await disturbOnce());
  const performance = await perform(world, scripts, { random, disturbances, disturb });
  record.summarise(performance);
  await expectNothingWrong(world, performance, undisturbed);
  await expectReplays(world, sample(performance.ids, replays, random));
}

function sample<Item>(items: Item[], count: number, random: () => number): Item[] {
  const left = [...items];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0] as Item,
  );
}

/** The disturbances of a test. If it fails, they are printed with the command that repeats it. */
class DisturbanceRecord {
  readonly #entries: string[] = [];
  readonly #startedAt = Date.now();

  constructor(world: World) {
    onTestFailed(() => {
      const command = `EXECUTOR_TEST_SEED=${seed} npx vitest run packages/server/src/chaos.test.ts`;
      console.error([`To repeat it: ${command}`, ...this.#entries, world.tails()].join('\n'));
    });
  }

  add(disturbance: string): void {
    this.#entries.push(`${Date.now() - this.#startedAt} ms: ${disturbance}`);
  }

  /** Expects that at least one disturbance interrupted a call, and prints the counts of answers. */
  summarise({ person }: Performance): void {
    this.add('all runs have ended');
    expect(person.answers.some(({ action }) => action === 'retry' || action === 'complete')).toBe(true);
    const counts: Record<string, number> = {};
    for (const { action } of person.answers) counts[action] = (counts[action] ?? 0) + 1;
    console.info(`${this.#entries.at(-1)}; answers: ${JSON.stringify(counts)}`);
    if (process.env.EXECUTOR_TEST_SEED) console.info(this.#entries.join('\n'));
  }
}
