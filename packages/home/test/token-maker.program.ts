import { resolveFolders } from '../src/folders.ts';
import { ensureLocalToken } from '../src/local-token.ts';

/** Creates the local token if there is none, and prints it. */
process.stdout.write(ensureLocalToken(resolveFolders(process.env)));
