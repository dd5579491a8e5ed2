import { fileURLToPath } from 'node:url';

/** Folder of the reader program. The global setup of the tests builds it. */
export const readerFolder = fileURLToPath(new URL('../dist/reader', import.meta.url));
