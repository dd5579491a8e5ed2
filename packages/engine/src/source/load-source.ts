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

const lookMs = 30_000;

/** The same for an address that was typed, which need not be that of the document itself, but of a page or server that leads to it. */
export async function loadTyped(
  request: Request,
): Promise<{ loaded: LoadedSource; settings: SourceSettings }> {
  const { source, settings, context } = request;
  const { url } = settings;
  try {
    return { loaded: await loadSource(request), settings };
  } catch (error) {
    if (typeof url !== 'string' || !isWrongDocument(error)) throw error;
    const found = await source.detect(url, AbortSignal.any([context.signal, AbortSignal.timeout(lookMs)]));
    const place = found?.settings.url;
    if (typeof place !== 'string' || !leadsTo(url, place, error)) throw error;
    const elsewhere = { ...settings, url: place };
    return { loaded: await loadSource({ ...request, settings: elsewhere }), settings: elsewhere };
  }
}

/** Something is there, but it is not the document; where nothing answers there is no point in looking around. */
function isWrongDocument(error: unknown): error is ExecutorError {
  return error instanceof ExecutorError && error.code === 'unusableDocument';
}

/** A page may lead anywhere; an address at which nothing is leads to what is below it, and to nothing else. */
function leadsTo(url: string, place: string, { details }: ExecutorError): boolean {
  const isDead = details?.status !== undefined;
  return place !== url && (!isDead || place.startsWith(url.replace(/\/?$/, '/')));
}

function isRefusal(error: unknown): boolean {
  return error instanceof ExecutorError && [401, 403].includes(Number(error.details?.status));
}

/** The credentials are for the API: a document that is kept with somebody else is not asked for with them. */
function goesElsewhere({ url, baseUrl }: SourceSettings): boolean {
  if (typeof url !== 'string' || typeof baseUrl !== 'string') return false;
  return new URL(url).origin !== new URL(baseUrl).origin;
}
