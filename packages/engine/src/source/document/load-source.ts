import { ExecutorError, type SourceAuth } from '@executor/protocol';
import { documentAuth } from '../../auth/compose-auth.ts';
import type { DetectOptions, LoadContext, LoadedSource, Source, SourceSettings } from '../../ports/source.ts';
import { originOf } from '../call-origins.ts';

interface Request {
  source: Source;
  settings: SourceSettings;
  auth: SourceAuth;
  /** The URL that the user typed. */
  typedUrl: string | undefined;
  /** The base URL of calls. It may be unknown before the first load. */
  callBaseUrl: string | undefined;
  context: Omit<LoadContext, 'auth'>;
}

/** A source that was loaded, with the kind and the settings that it was loaded with. */
interface Loaded {
  source: Source;
  loaded: LoadedSource;
  settings: SourceSettings;
}

/**
 * Loads a source. Sends its credentials only if the server answers 401 or 403, or if the system describes itself. A client certificate is
 * offered from the start, because servers that require one close the connection during the handshake without an explanation.
 */
export async function loadSource(request: Request): Promise<LoadedSource> {
  const { source, settings, auth, context } = request;
  const credentials = maySendCredentials(request) ? documentAuth(auth) : {};
  const hasCredentials = Object.keys(credentials).length > 0;
  if (source.describesItself)
    return source.load(settings, { ...context, ...(hasCredentials && { auth: credentials }) });
  const { certificate } = credentials;
  try {
    return await source.load(settings, { ...context, ...(certificate && { auth: { certificate } }) });
  } catch (error) {
    if (!isUnauthorized(error) || !hasCredentials) throw error;
    return source.load(settings, { ...context, auth: credentials });
  }
}

const detectMs = 30_000;

/**
 * Loads a source with the first of the kinds that can read it. If none can read what is at the URL that the user typed, looks for a
 * description that the page links to, or below it.
 */
export async function loadTyped(
  sources: readonly Source[],
  request: Omit<Request, 'source'>,
): Promise<Loaded> {
  const { settings } = request;
  const failures = new Map<Source, unknown>();
  for (const source of sources) {
    if (sources.length > 1 && source.mustBeNamed && !(await isAtUrl(source, request))) continue;
    try {
      return { source, loaded: await loadSource({ ...request, source }), settings };
    } catch (error) {
      await source.release?.(request.context.sourceId);
      if (!isOtherKind(error)) throw error;
      failures.set(source, error);
    }
  }
  for (const [source, error] of failures) {
    const found = await follow({ ...request, source }, error);
    if (found) return found;
  }
  throw failureOf(failures);
}

/** Whether a kind that the request does not name finds a system at the URL itself. */
async function isAtUrl(source: Source, { settings, context }: Omit<Request, 'source'>): Promise<boolean> {
  const { url } = settings;
  if (url === undefined) return false;
  const found = await source.detect?.(url, detectOptions(settings, context));
  return [found ?? []].flat().some((one) => one.settings.url === url);
}

function detectOptions(settings: SourceSettings, { signal }: Request['context']): DetectOptions {
  return {
    signal: AbortSignal.any([signal, AbortSignal.timeout(detectMs)]),
    allowPrivateNetwork: settings.allowPrivateNetwork === true,
    serverCa: settings.serverCa as string | undefined,
    near: true,
  };
}

async function follow(request: Request, error: unknown): Promise<Loaded | undefined> {
  const { source, settings, context } = request;
  const { url } = settings;
  if (url === undefined || !isWrongDocument(error)) return undefined;
  const detected = await source.detect?.(url, detectOptions(settings, context));
  const [documentUrl, ...others] = [detected ?? []]
    .flat()
    .flatMap((found) => found.settings.url ?? [])
    .filter((found) => mayFollow(url, found, error));
  if (documentUrl === undefined) return undefined;
  if (others.length > 0) throw severalDocuments(url, [documentUrl, ...others]);
  const followed = { ...settings, url: documentUrl };
  return { source, loaded: await loadSource({ ...request, settings: followed }), settings: followed };
}

function severalDocuments(url: string, documents: string[]): ExecutorError {
  return new ExecutorError(
    'unusableDocument',
    `${url} links to several documents. Use the URL of one of them: ${documents.join(', ')}`,
    { details: { documents } },
  );
}

/** If several kinds were tried, the error says why none of them fits. A kind that knows the format has the only reason. */
function failureOf(failures: ReadonlyMap<Source, unknown>): unknown {
  const known = [...failures].filter(([, error]) => !isOtherFormat(error));
  const all = new Map(
    (known.length > 0 ? known : [...failures]).map((failure) => [(failure[1] as Error).message, failure]),
  );
  const [[, first] = []] = all.values();
  if (all.size === 1 || !(first instanceof ExecutorError)) return first;
  const reasons = [...all.values()].map(([{ kind }, error]) => `${kind}: ${(error as Error).message}`);
  return new ExecutorError(
    first.code,
    `No kind of source fits. Pass \`kind\` to see only its problem. ${reasons.join(' ')}`,
    { cause: first, ...(first.details && { details: first.details }) },
  );
}

/** Whether the server responded, but not with a document. If nothing responds, there is no point in looking further. */
function isWrongDocument(error: unknown): error is ExecutorError {
  return error instanceof ExecutorError && error.code === 'unusableDocument';
}

function isOtherKind(error: unknown): boolean {
  return isWrongDocument(error) || isUnauthorized(error);
}

/** A page may link to a document anywhere. A URL that answered with an error status leads only to documents below it. */
function mayFollow(url: string, documentUrl: string, { details }: ExecutorError): boolean {
  const isError = details?.status !== undefined;
  return documentUrl !== url && (!isError || documentUrl.startsWith(url.replace(/\/?$/, '/')));
}

function isOtherFormat(error: unknown): boolean {
  return error instanceof ExecutorError && error.details?.isOtherFormat === true;
}

function isUnauthorized(error: unknown): boolean {
  if (!(error instanceof ExecutorError)) return false;
  return [401, 403].includes(Number(error.details?.status));
}

/**
 * The credentials are for the API. Executor does not send them to another host of the document, or to a URL that the user did not type. A
 * system that describes itself gets its calls at that URL.
 */
function maySendCredentials({ source, settings: { url }, typedUrl, callBaseUrl }: Request): boolean {
  if (url === undefined || typedUrl === undefined) return false;
  const origin = originOf(url);
  const isForCalls =
    callBaseUrl === undefined || source.describesItself === true || origin === originOf(callBaseUrl);
  return origin === originOf(typedUrl) && isForCalls;
}
