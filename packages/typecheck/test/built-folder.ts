import { fileURLToPath } from 'node:url';

/** Where the set-up of the tests built the checker's program. */
export const builtFolder = fileURLToPath(new URL('../dist', import.meta.url));
