import { resolveFolders } from '../src/folders.ts';
import { ensureLocalToken } from '../src/local-token.ts';

/** Makes the local token where there is none, and shows it. */
process.stdout.write(ensureLocalToken(resolveFolders(process.env)));
