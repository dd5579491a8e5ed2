import type { Image } from './image.ts';
import { LaneProgram } from './lane-program.ts';

/**
 * Runs some code, because the engine's WASM is compiled on first use. Doing that before the lane is ready keeps it out of the first run's
 * CPU time.
 */
export function warmUp(image: Image): void {
  const lane = new LaneProgram(image, () => {});
  const slice = { cpuUs: 1_000_000 };
  for (let run = 1; run <= rounds; run++) {
    lane.perform({ type: 'start', run, seed: '', epoch: 0, limits, slice }, Buffer.from(code));
    lane.perform({ type: 'deliver', run, items: [{ index: 0, at: 0, length: 2 }], slice }, Buffer.from('{}'));
  }
}

const rounds = 3;
const limits = {
  memoryPages: 1024,
  calls: 10,
  outstandingCalls: 10,
  callBytes: 1000,
  callParts: 1000,
  outstandingBytes: 1000,
  logBytes: 1000,
  resultBytes: 1000,
};
const code = `(async () => {
  const answer = await tools.a.b({ list: [1, 'a', null] });
  try { null.x } catch (error) { console.log(error.message) }
  return { answer, date: new Date(), map: new Map([['a', /a+/.test('aaa')]]) };
})`;
