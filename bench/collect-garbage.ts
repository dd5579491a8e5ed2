import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const collect: () => void = (() => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
})();

/** What is held is told apart from what nobody has cleared away yet: buffers are given back some time after they were collected. */
export async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
