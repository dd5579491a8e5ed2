import { ExecutorError, type SourceAuth } from '@executor/protocol';
import { documentAuth } from '../../auth/compose-auth.ts';
import type { LoadContext, LoadedSource, Source, SourceSettings } from '../../ports/source.ts';
import { originOf } from '../call-origins.ts';

interface Request {
  source: Source;
  settings: SourceSettings;
  auth: SourceAuth;
  /** The address that a person typed. */
  typedUrl: unknown;
  /** Where calls go, as far as that is known: before the first reading it may not be. */
  callsGoTo: string | undefined;
  context: Omit<LoadContext, 'auth'>;
}

/**
 * Loads a source; where its document is not public, with the credentials of the source, which are shown only when they are asked for. A
 * certificate is there from the first: the handshake asks for it, and servers that get none hang up without a word.
 */
export async function loadSource(request: Request): Promise<LoadedSource> {
  const { source, settings, auth, context } = request;
  const shown = mayShow(request) ? documentAuth(auth) : {};
  const { certificate } = shown;
  try {
    return await source.load(settings, { ...context, ...(certificate && { auth: { certificate } }) });
  } catch (error) {
    if (!isRefusal(error) || Object.keys(shown).length === 0) throw error;
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
    const found = await source.detect(url, {
      signal: AbortSignal.any([context.signal, AbortSignal.timeout(lookMs)]),
      allowPrivateNetwork: settings.allowPrivateNetwork === true,
      serverCa: settings.serverCa as string | undefined,
      near: true,
    });
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
  if (!(error instanceof ExecutorError)) return false;
  return [401, 403].includes(Number(error.details?.status));
}

/**
 * The credentials are for the API: whoever else keeps its document is not shown them, nor is a place that nobody typed, but that
 * something led to.
 */
function mayShow({ settings: { url }, typedUrl, callsGoTo }: Request): boolean {
  if (typeof url !== 'string' || typeof typedUrl !== 'string') return false;
  const origin = originOf(url);
  return origin === originOf(typedUrl) && (callsGoTo === undefined || origin === originOf(callsGoTo));
}
