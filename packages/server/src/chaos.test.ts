import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, onTestFailed, onTestFinished, test } from 'vitest';
import { startPostgres } from '../../../scripts/test-postgres.ts';
import { seededRandom } from '../../store/test/seeded-random.ts';
import { disturbDaemon, disturbWorkers, killInTheMidst } from '../test/chaos/disturb.ts';
import { effectsOf, expectNothingWrong, expectReplays } from '../test/chaos/invariants.ts';
import { type Ending, type Performance, perform } from '../test/chaos/perform.ts';
import { chaosScripts } from '../test/chaos/scripts.ts';
import { World } from '../test/chaos/world.ts';

/**
 * Runs in real processes, which are killed, and stopped past their lease, while a ledger outside of them counts every request. The ways
 * of the processes are their own, so a seed repeats what is done to them and not what they do; it still finds most things again.
 */
const isLong = process.env.EXECUTOR_TEST_LONG === '1';
const seed = Number(process.env.EXECUTOR_TEST_SEED ?? (isLong ? Math.floor(Math.random() * 1e9) : 1));
const hours = 3_600_000;

/** The short form has each shape twice. */
const scripts = chaosScripts(isLong ? 1_300 : 26);
const replays = isLong ? 30 : 13;
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

const disturbances = isLong ? 200 : 6;
test(
  `${scripts.length} runs of a daemon that is killed and stopped ${disturbances} times end as if nothing had been`,
  async () => {
    const world = await World.start();
    onTestFinished(() => world.close());
    const told = new Told(world);
    const random = seededRandom(seed);
    const inTheMidst = killInTheMidst(world);
    const disturb = async (turn: number) =>
      told.push(turn === 0 ? await inTheMidst() : await disturbDaemon(world, random));
    const performance = await perform(world, scripts, { random, disturbances, disturb });
    told.summary(performance);
    await expectNothingWrong(world, performance, undisturbed);
    await expectReplays(world, sample(performance.ids, replays, random));
  },
  hours,
);

const fewer = isLong ? 60 : 4;
test(
  `${scripts.length} runs of two workers that are killed and stopped ${fewer} times, on a Postgres that goes away for ten seconds, end as if nothing had been`,
  async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.remove());
    const world = await World.start({ databaseUrl: postgres.url }, 2);
    onTestFinished(() => world.close());
    const told = new Told(world);
    const random = seededRandom(seed + 1);
    const inTheMidst = killInTheMidst(world);
    const disturb = async (turn: number) => {
      if (turn === 0) told.push(await inTheMidst());
      else if (turn === Math.floor(fewer / 2)) {
        await postgres.stop();
        await sleep(10_000);
        await postgres.start();
        told.push('database stopped and started');
      } else told.push(await disturbWorkers(world, random));
    };
    const performance = await perform(world, scripts, { random, disturbances: fewer, disturb });
    told.summary(performance);
    await expectNothingWrong(world, performance, undisturbed);
    await expectReplays(world, sample(performance.ids, replays, random));
  },
  hours,
);

function sample<Item>(items: Item[], count: number, random: () => number): Item[] {
  const left = [...items];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0] as Item,
  );
}

/** What was done to the processes, printed with the way to do it again where the test fails. */
class Told {
  readonly #lines: string[] = [];
  readonly #from = Date.now();

  constructor(world: World) {
    onTestFailed(() => {
      const again = `EXECUTOR_TEST_SEED=${seed} npx vitest run packages/server/src/chaos.test.ts`;
      console.error([`To do it again: ${again}`, ...this.#lines, world.tails()].join('\n'));
    });
  }

  push(what: string): void {
    this.#lines.push(`${Date.now() - this.#from} ms: ${what}`);
  }

  /** How much of it hit something, which some of it must. */
  summary({ person }: Performance): void {
    this.push('all runs have ended');
    expect(person.answers.some(({ action }) => action === 'retry' || action === 'complete')).toBe(true);
    const counts: Record<string, number> = {};
    for (const { action } of person.answers) counts[action] = (counts[action] ?? 0) + 1;
    console.info(`${this.#lines.at(-1)}; answers: ${JSON.stringify(counts)}`);
    if (process.env.EXECUTOR_TEST_SEED) console.info(this.#lines.join('\n'));
  }
}
