import { fileURLToPath } from 'node:url';

/** The folder that the set-up of the tests built the checker program into. */
export const builtFolder = fileURLToPath(new URL('../dist', import.meta.url));
