import { checkEnds } from './endings.ts';
import { planFaults } from './faults.ts';
import { Violation } from './invariants.ts';
import { runnableAt } from './model-tables.ts';
import { startTime } from './virtual-time.ts';
import { type Parts, World } from './world.ts';

export interface Report {
  seed: number;
  violation: Violation | undefined;
  steps: number;
  runs: number;
  /** The number of runs whose result was compared with that of an undisturbed run. */
  compared: number;
  /** Only if the schedule is traced. */
  trace: string[];
}

const maxSteps = 15_000;
/** Longer than the interval of any worker's sweep. */
const idleMs = 61_000;
const longestMs = 40 * 24 * 3_600_000;

/** Simulates one schedule of scripts, people, processes and faults from the seed, until all runs have ended. */
export async function simulate(
  seed: number,
  { traced = false, ...parts }: Parts & { traced?: boolean } = {},
): Promise<Report> {
  const world = new World(seed, parts, { traced });
  const { stackTraceLimit } = Error;
  // Stack traces are the most expensive part of an error, and only a traced schedule needs them.
  if (!traced) Error.stackTraceLimit = 0;
  const { time, tables } = world;
  let compared = 0;
  const unhandled = (error: unknown) =>
    world.invariants.fail(`a rejection was not handled: ${(error as Error)?.stack}`);
  process.on('unhandledRejection', unhandled);
  try {
    const runs = world.random.between(1, 3);
    await disturb(world, runs);
    await heal(world, runs);
    if (!world.invariants.first) compared = await checkEnds(world);
  } catch (error) {
    if (!(error instanceof Violation))
      throw new Error(`seed ${seed}: the simulation broke`, { cause: error });
  } finally {
    process.off('unhandledRejection', unhandled);
    Error.stackTraceLimit = stackTraceLimit;
  }
  const { first: violation } = world.invariants;
  return { seed, violation, steps: time.steps, runs: tables.runs.size, compared, trace: time.trace ?? [] };
}

async function disturb(world: World, runs: number): Promise<void> {
  const { time, random } = world;
  const plan = planFaults(random.fork());
  const draw = random.fork();
  const processes = world.kind === 'pglite' ? 1 : random.between(1, 3);
  for (let i = 0; i < processes; i++) world.startProcess();
  for (let i = 0; i < runs; i++) world.submit(i);
  const last = Math.max(0, ...plan.keys());
  while (time.steps < last && (await step(world))) plan.get(time.steps)?.(world, draw);
}

/** Injects no more faults and waits until all runs have ended. */
async function heal(world: World, runs: number): Promise<void> {
  const { time } = world;
  time.note('all is well from here on');
  world.quiet = true;
  world.health.awayUntil = 0;
  world.health.lossRate = 0;
  for (const { owner } of world.processes) if (owner.state === 'stopped') owner.state = 'running';
  if (world.alive.every(({ draining }) => draining) && world.kind === 'postgres') world.startProcess();
  const begun = time.steps;
  while (!allEnded(world, runs)) {
    skipIdling(world);
    const goesOn = await step(world);
    if (!goesOn || time.steps - begun > maxSteps || time.now - startTime > longestMs) {
      world.invariants.fail(`these runs never end: ${describeOpen(world)}`);
    }
  }
  world.closing = true;
  for (const process of world.alive) void world.drain(process);
  for (let left = 5_000; time.pending.length > 0 && left > 0; left--) await step(world);
  if (time.pending.length > 0) world.invariants.fail(`left behind: ${time.pending.join('; ')}`);
}

async function step(world: World): Promise<boolean> {
  const goesOn = await world.time.step();
  if (world.invariants.first) throw world.invariants.first;
  return goesOn;
}

function allEnded({ tables }: World, runs: number): boolean {
  const rows = [...tables.runs.values()];
  return rows.length >= runs && rows.every(({ row }) => row.finishedAt !== null);
}

/** If nothing was written for a while, time jumps to the next moment at which something may be. */
function skipIdling({ time, tables, lastCommit, databaseClock: { skewMs } }: World): void {
  const open = [...tables.runs.values()].filter(({ row }) => row.finishedAt === null);
  const isHeld = open.some(({ leaseOwner }) => leaseOwner !== null);
  if (time.steps - lastCommit < (isHeld ? 60 : 5)) return;
  const free = open.filter(({ leaseOwner }) => leaseOwner === null);
  const next = Math.min(
    ...free.flatMap((run) => runnableAt(run) ?? []).map((at) => at - skewMs),
    time.nextTime((at) => at > time.now + idleMs) ?? Number.POSITIVE_INFINITY,
  );
  if (Number.isFinite(next) && next > time.now + idleMs) time.jump(next - 1);
}

function describeOpen({ tables, time }: World): string {
  return [...tables.runs.values()]
    .filter(({ row }) => row.finishedAt === null)
    .map((run) => {
      const pending = [...tables.interactions.values()]
        .filter(({ executionId, status }) => executionId === run.row.id && status === 'pending')
        .map(({ kind, callIndex }) => `${kind} of ${callIndex}`);
      const { row, leaseOwner, leaseUntil, events } = run;
      const last = events.slice(-6).map(({ type }) => type);
      return `${row.id} ${row.status}, holder ${leaseOwner} until ${leaseUntil - time.now}, wakes ${row.wakeAt && row.wakeAt.getTime() - time.now}, asks [${pending}], last [${last}]`;
    })
    .join('; ');
}
