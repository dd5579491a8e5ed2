import { ExecutorError, type SourceAuth } from '@executor/protocol';
import { documentAuth } from '../../auth/compose-auth.ts';
import type { LoadContext, LoadedSource, Source, SourceSettings } from '../../ports/source.ts';
import { originOf } from '../call-origins.ts';

interface Request {
  source: Source;
  settings: SourceSettings;
  auth: SourceAuth;
  /** The URL that the user typed. */
  typedUrl: unknown;
  /** The base URL of calls. It may be unknown before the first load. */
  callBaseUrl: string | undefined;
  context: Omit<LoadContext, 'auth'>;
}

/**
 * Loads a source. Sends its credentials only if the server answers 401 or 403. A client certificate is offered from the start, because
 * servers that require one close the connection during the handshake without an explanation.
 */
export async function loadSource(request: Request): Promise<LoadedSource> {
  const { source, settings, auth, context } = request;
  const credentials = maySendCredentials(request) ? documentAuth(auth) : {};
  const { certificate } = credentials;
  try {
    return await source.load(settings, { ...context, ...(certificate && { auth: { certificate } }) });
  } catch (error) {
    if (!isUnauthorized(error) || Object.keys(credentials).length === 0) throw error;
    return source.load(settings, { ...context, auth: credentials });
  }
}

const detectMs = 30_000;

/** Loads a source from a URL that the user typed. If it is not the URL of a document, looks for one that the page links to, or below it. */
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
      signal: AbortSignal.any([context.signal, AbortSignal.timeout(detectMs)]),
      allowPrivateNetwork: settings.allowPrivateNetwork === true,
      serverCa: settings.serverCa as string | undefined,
      near: true,
    });
    const documentUrl = found?.settings.url;
    if (typeof documentUrl !== 'string' || !mayFollow(url, documentUrl, error)) throw error;
    const followed = { ...settings, url: documentUrl };
    return { loaded: await loadSource({ ...request, settings: followed }), settings: followed };
  }
}

/** Whether the server responded, but not with a document. If nothing responds, there is no point in looking further. */
function isWrongDocument(error: unknown): error is ExecutorError {
  return error instanceof ExecutorError && error.code === 'unusableDocument';
}

/** A page may link to a document anywhere. A URL that answered with an error status leads only to documents below it. */
function mayFollow(url: string, documentUrl: string, { details }: ExecutorError): boolean {
  const isError = details?.status !== undefined;
  return documentUrl !== url && (!isError || documentUrl.startsWith(url.replace(/\/?$/, '/')));
}

function isUnauthorized(error: unknown): boolean {
  if (!(error instanceof ExecutorError)) return false;
  return [401, 403].includes(Number(error.details?.status));
}

/** The credentials are for the API. Executor does not send them to another host of the document, or to a URL that the user did not type. */
function maySendCredentials({ settings: { url }, typedUrl, callBaseUrl }: Request): boolean {
  if (typeof url !== 'string' || typeof typedUrl !== 'string') return false;
  const origin = originOf(url);
  return origin === originOf(typedUrl) && (callBaseUrl === undefined || origin === originOf(callBaseUrl));
}
