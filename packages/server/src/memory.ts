import { setFlagsFromString } from 'node:v8';

/** How much larger the heap may become, in percent of what is in use, before the next collection. */
const growthPercent = 30;

/**
 * Limits the garbage in the heap of this process. V8 alone lets the heap of a busy server grow to several times of what is in use, because
 * it may become as large as the memory of the machine allows.
 */
export function limitGarbage(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
