import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './world.ts';

/** Past the lease of 2 s that these processes have. */
const stopMs = (random: () => number) => 2_200 + random() * 1_300;

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
