import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const collect: () => void = (() => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
})();

/**
 * Collects garbage before memory is measured. Buffers are released some time after their collection, so it runs several
 * rounds.
 */
export async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
