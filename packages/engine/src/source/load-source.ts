import { ExecutorError, type SourceAuth } from '@executor/protocol';
import { documentAuth } from '../auth/compose-auth.ts';
import type { LoadContext, LoadedSource, Source, SourceSettings } from '../ports/source.ts';

interface Request {
  source: Source;
  settings: SourceSettings;
  auth: SourceAuth;
  context: Omit<LoadContext, 'auth'>;
}

/** Loads a source; where its document is not public, with the credentials of the source, which are shown only when they are asked for. */
export async function loadSource({ source, settings, auth, context }: Request): Promise<LoadedSource> {
  try {
    return await source.load(settings, context);
  } catch (error) {
    const shown = documentAuth(auth);
    if (!isRefusal(error) || Object.keys(shown).length === 0 || goesElsewhere(settings)) throw error;
    return source.load(settings, { ...context, auth: shown });
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ExecutorError && [401, 403].includes(Number(error.details?.status));
}

/** The credentials are for the API: a document that is kept with somebody else is not asked for with them. */
function goesElsewhere({ url, baseUrl }: SourceSettings): boolean {
  if (typeof url !== 'string' || typeof baseUrl !== 'string') return false;
  return new URL(url).origin !== new URL(baseUrl).origin;
}
