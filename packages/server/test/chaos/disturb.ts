import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './world.ts';

/** Past the lease of a second that these processes have. */
const stopMs = (random: () => number) => 1_200 + random() * 800;

/**
 * Kills whoever sends a call that may not be repeated while it is under way, so that somebody has to say what became of it. Chance alone
 * would often not hit one. To be made before the runs begin.
 */
export function killInTheMidst(world: World): () => Promise<string> {
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
      await Promise.all(workers.map((_, place) => world.addWorker(place)));
    }
    return 'killed in the midst of a write';
  };
}

/** Treats the daemon badly, once, and leaves one that answers. */
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
    const begun = world.startServer().catch(() => {});
    await sleep(random() * 1_000);
    await world.server.kill();
    await begun;
  }
  await world.startServer();
  return choice > 0.9 ? 'killed, and again while it started' : 'killed';
}

/** Treats one of the workers badly, or now and then the server. */
export async function disturbWorkers(world: World, random: () => number): Promise<string> {
  const place = Math.floor(random() * world.workers.length);
  const worker = world.workers[place];
  const choice = random();
  if (choice < 0.45) {
    worker?.pause();
    await sleep(stopMs(random));
    worker?.resume();
    return 'worker stopped and continued';
  }
  if (choice < 0.85) {
    await worker?.kill();
    await world.addWorker(place);
    return 'worker killed';
  }
  await world.server.kill();
  await world.startServer();
  return 'server killed';
}
