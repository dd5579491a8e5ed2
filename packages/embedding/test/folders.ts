import { fileURLToPath } from 'node:url';

export { testModelFolder } from '../../../scripts/setup-model.ts';

/** The folder that the set-up of the tests built the program into. */
export const builtFolder = fileURLToPath(new URL('../dist', import.meta.url));
