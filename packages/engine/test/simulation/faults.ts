import type { Random } from './random.ts';
import type { World } from './world.ts';

type Fault = (world: World, random: Random) => void;

const leaseMs = 12_000;

/** The faults, each injected at one step. */
const faults: { [Name in string]: Fault } = {
  crash(world, random) {
    const { alive } = world;
    if (alive.length > 0) world.kill(random.pick(alive), random.pick([0, 100, 5_000, 40_000]));
  },
  stopPastLease(world, random) {
    const { alive } = world;
    if (alive.length > 0) world.stop(random.pick(alive), random.between(leaseMs, leaseMs * 4));
  },
  stopBriefly(world, random) {
    const { alive } = world;
    if (alive.length > 0) world.stop(random.pick(alive), random.between(1, leaseMs));
  },
  databaseAway(world, random) {
    const ms = random.pick([10, 1_000, 10_000, 60_000]);
    world.time.note(`the database is away for ${ms} ms`);
    world.health.awayUntil = world.time.now + ms;
  },
  jump(world, random) {
    world.time.jump(world.time.now + random.pick([100, 20_000, leaseMs * 2, 3_600_000]));
  },
  setBack(world, random) {
    const { alive } = world;
    // If clocks differ by much, the machine that is ahead takes a run again and again that the other one considers not due.
    const far = world.kind === 'pglite' ? [leaseMs * 2, 3_600_000] : [];
    if (alive.length > 0) world.setBack(random.pick(alive), random.pick([100, 10_000, ...far]));
  },
  drain(world, random) {
    const { alive } = world;
    if (alive.length === 0) return;
    const process = random.pick(alive);
    void world.drain(process);
    if (world.kind === 'postgres') world.startProcess();
    world.time.after(random.between(0, 20_000), 'a drained process has to end', () => {
      world.bury(process);
      if (world.kind === 'pglite') world.startProcess();
    });
  },
  changeTool(world, random) {
    world.changeTool(random.pick(['t.write', 't.put', 't.form', 't.post']));
  },
  cancel(world, random) {
    const open = [...world.tables.runs.values()].filter(({ row }) => row.finishedAt === null);
    if (open.length > 0 && random.chance(0.5)) world.cancel(random.pick(open).row.id);
  },
};

const names = Object.keys(faults);

/** The faults by step. */
export function planFaults(random: Random): Map<number, Fault> {
  const count = random.pick([0, 1, 1, 2, 3, 5, 10]);
  const within = random.pick([60, 200, 500]);
  const plan = new Map<number, Fault>();
  for (let i = 0; i < count; i++) {
    plan.set(random.between(1, within), faults[random.pick(names)] as Fault);
  }
  return plan;
}
