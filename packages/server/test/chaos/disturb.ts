import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './world.ts';

/** Longer than the lease of these processes, which is one second. */
const stopMs = (random: () => number) => 1_200 + random() * 800;

/**
 * Kills the process that sends a non-repeatable call while the call is in flight, so that a person has to reconcile it. Random kills
 * often hit none. Must be called before the runs start.
 */
export function killDuringWrite(world: World): () => Promise<string> {
  const { arrived, letGo } = world.ledger.hold(({ operation }) => operation === 'write');
  return async () => {
    await arrived;
    const { workers } = world;
    if (workers.length === 0) {
      await world.server.kill();
      letGo();
      await world.startServer();
    } else {
      await Promise.all(workers.map((worker) => worker.kill()));
      letGo();
      await Promise.all(workers.map((_, index) => world.addWorker(index)));
    }
    return 'killed during a write';
  };
}

/** Kills or stops the daemon once. A daemon is running afterwards. */
export async function disturbDaemon(world: World, random: () => number): Promise<string> {
  const choice = random();
  if (choice < 0.45) {
    world.server.pause();
    await sleep(stopMs(random));
    if (choice < 0.4) {
      world.server.resume();
      return 'stopped and continued';
    }
  }
  await world.server.kill();
  if (choice > 0.9) {
    const starting = world.startServer().catch(() => {});
    await sleep(random() * 1_000);
    await world.server.kill();
    await starting;
  }
  await world.startServer();
  return choice > 0.9 ? 'killed, and again while it started' : 'killed';
}

/** Kills or stops one of the workers, and sometimes the server. */
export async function disturbWorkers(world: World, random: () => number): Promise<string> {
  const index = Math.floor(random() * world.workers.length);
  const worker = world.workers[index];
  const choice = random();
  if (choice < 0.45) {
    worker?.pause();
    await sleep(stopMs(random));
    worker?.resume();
    return 'worker stopped and continued';
  }
  if (choice < 0.85) {
    await worker?.kill();
    await world.addWorker(index);
    return 'worker killed';
  }
  await world.server.kill();
  await world.startServer();
  return 'server killed';
}
