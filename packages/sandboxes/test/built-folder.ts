import { fileURLToPath } from 'node:url';

/** Where the set-up of the tests built the sandbox's programs. */
export const builtFolder = fileURLToPath(new URL('../dist/quickjs', import.meta.url));
