import { fileURLToPath } from 'node:url';

/** The sandbox programs that the test set-up built. */
export const builtFolder = fileURLToPath(new URL('../dist/quickjs', import.meta.url));
