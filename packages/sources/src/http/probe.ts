import { setTimeout as pause } from 'node:timers/promises';
import type { DetectOptions } from '@executor/engine';
import { type DocumentFacts, documentFacts } from './document-facts.ts';
import { documentLinks } from './document-links.ts';
import { documentHeaders } from './fetch-document.ts';
import type { HttpClient } from './http-client.ts';
import { UnreachableError } from './unreachable-error.ts';

export interface FoundDocument extends DocumentFacts {
  url: string;
  /** The URL itself does not lead to it, so it may describe something else of the host. */
  confidence?: 'likely';
}

/** Paths at which frameworks serve their documents. */
const wellKnown = [
  'openapi.json',
  'openapi.yaml',
  'openapi.yml',
  'swagger.json',
  'swagger.yaml',
  'v3/api-docs',
  'v2/api-docs',
  'swagger/v1/swagger.json',
  'api-docs',
  'api-docs/swagger.json',
  'api-docs.json',
  'docs/openapi.json',
  'api/openapi.json',
  'api/swagger.json',
  'api/v1/openapi.json',
  'v1/openapi.json',
  '.well-known/openapi.json',
  '.well-known/openapi.yaml',
  'schema/',
  'docs-json',
  'api-json',
  'q/openapi',
];

const totalMs = 20_000;
const requestMs = 8_000;
const concurrency = 12;
/** How long the URL itself may take before the common paths are tried meanwhile. */
const patienceMs = 400;
const maxBytes = 64 * 1024 * 1024;
const maxPageBytes = 1024 * 1024;

/**
 * Finds the OpenAPI documents for a URL: at the URL, linked from the page there, or the first at a common path, below the URL first. With
 * `near` it probes only below the URL. A page may link to several documents.
 */
export async function probeDocuments(
  http: HttpClient,
  url: string,
  options: DetectOptions,
): Promise<FoundDocument[]> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(totalMs)]);
  // A page's links are untrusted: private networks and the source's own CA apply only to the host that the user typed.
  const probe = async (at: string) => {
    const isTyped = new URL(at).hostname === new URL(url).hostname;
    const allowPrivateNetwork = options.allowPrivateNetwork && isTyped;
    const serverCa = isTyped ? options.serverCa : undefined;
    const result = await probeUrl(http, at, { signal, allowPrivateNetwork, serverCa });
    options.report?.({ request: `GET ${at}`, outcome: outcomeOf(result) });
    return result;
  };
  const atCommonPaths = () => firstDocument(commonUrls(url, options.near ? 'below' : 'around'), probe);
  const atUrl = probe(url);
  const isSlow = await Promise.race([atUrl.then(() => false), pause(patienceMs, true, { ref: false })]);
  const meanwhile = isSlow ? atCommonPaths() : undefined;
  const first = await atUrl;
  if (first.type === 'document') return [first.found];
  const linked = first.type === 'page' ? await followLinks(first, probe) : [];
  if (linked.length > 0) return linked;
  const common = await (meanwhile ?? atCommonPaths());
  if (common === undefined) return [];
  return common.url.startsWith(below(url)) ? [common] : [{ ...common, confidence: 'likely' }];
}

type ProbeResult =
  | { type: 'document'; found: FoundDocument }
  | { type: 'page'; url: string; text: string }
  | { type: 'nothing'; why: string };
type Probe = (url: string) => Promise<ProbeResult>;

/** A page names the document itself, or in a script that it loads. */
async function followLinks(page: { url: string; text: string }, probe: Probe): Promise<FoundDocument[]> {
  const { documents, scripts } = documentLinks(page.text, page.url);
  const found = await allDocuments(documents, probe);
  if (found.length > 0) return found;
  for (const script of scripts) {
    const result = await probe(script);
    if (result.type !== 'page') continue;
    const named = await allDocuments(documentLinks(result.text, page.url).documents, probe);
    if (named.length > 0) return named;
  }
  return [];
}

function commonUrls(url: string, where: 'below' | 'around'): string[] {
  const { origin, href } = new URL(url);
  const beside = new URL('.', href);
  const bases = where === 'below' ? [below(url)] : [below(url), beside.href, `${origin}/`];
  return [...new Set(bases.flatMap((base) => wellKnown.map((path) => new URL(path, base).href)))].filter(
    (candidate) => candidate !== url,
  );
}

/** The folder of the URL, as if the URL were one. */
function below(url: string): string {
  const { href } = new URL(url);
  return href.endsWith('/') ? href : `${href.split(/[?#]/)[0]}/`;
}

/** Tries a few candidates concurrently and returns the first in order that is a document. */
async function firstDocument(urls: string[], probe: Probe): Promise<FoundDocument | undefined> {
  for (let at = 0; at < urls.length; at += concurrency) {
    const [found] = documentsIn(await Promise.all(urls.slice(at, at + concurrency).map(probe)));
    if (found) return found;
  }
  return undefined;
}

/** Pages often link to the same document as JSON and as YAML. */
async function allDocuments(urls: string[], probe: Probe): Promise<FoundDocument[]> {
  const found = documentsIn(await Promise.all(urls.map(probe)));
  const byTitle = new Map(found.toReversed().map((one) => [one.title ?? one.url, one]));
  return found.filter((one) => byTitle.get(one.title ?? one.url) === one);
}

function documentsIn(results: ProbeResult[]): FoundDocument[] {
  return results.flatMap((result) => (result.type === 'document' ? [result.found] : []));
}

function outcomeOf(result: ProbeResult): string {
  if (result.type === 'nothing') return result.why;
  return result.type === 'page' ? 'a page' : 'an OpenAPI document';
}

async function probeUrl(http: HttpClient, url: string, options: DetectOptions): Promise<ProbeResult> {
  const end = new AbortController();
  const signal = AbortSignal.any([options.signal, end.signal]);
  const deadline = pause(requestMs, undefined, { signal, ref: false }).then(
    () => end.abort(),
    () => {},
  );
  try {
    const response = await http.send(
      { method: 'GET', url, headers: documentHeaders },
      { ...options, signal, redirects: 'read' },
    );
    const { status, headers } = response;
    // An event stream never ends.
    const isReadable = status === 200 && !/^text\/event-stream/i.test(String(headers['content-type']));
    const kind = await recognise(response.body, isReadable);
    if (kind.type === 'document') return { type: 'document', found: { url, ...kind.facts } };
    if (kind.type === 'page') return { ...kind, url: response.url };
    return { type: 'nothing', why: isReadable ? 'no OpenAPI document' : `responded with ${status}` };
  } catch (error) {
    const why = error instanceof UnreachableError ? error.message : 'timed out';
    return { type: 'nothing', why };
  } finally {
    end.abort();
    await deadline;
  }
}

type Recognised =
  | { type: 'document'; facts: DocumentFacts }
  | { type: 'page'; text: string }
  | { type: 'nothing' };

/** Reads until the kind is known; the version may be at the very end of a document. A small document is read completely. */
async function recognise(body: AsyncIterable<Uint8Array>, isReadable: boolean): Promise<Recognised> {
  const decoder = new TextDecoder();
  let start = '';
  let recent = '';
  let read = 0;
  let found = false;
  try {
    for await (const chunk of body) {
      if (!isReadable) return { type: 'nothing' };
      read += chunk.length;
      const text = decoder.decode(chunk, { stream: true });
      if (start.length < maxPageBytes) start += text;
      const isPage = looksLikePage(start);
      found ||= !isPage && version.test(recent + text);
      recent = text.slice(-100);
      if ((found && read > maxPageBytes) || read > (isPage ? maxPageBytes : maxBytes)) break;
    }
  } catch (error) {
    // The rest of a slow document would only say more about it.
    if (!found) throw error;
  }
  if (found) return { type: 'document', facts: documentFacts(start) };
  return looksLikePage(start) ? { type: 'page', text: start } : { type: 'nothing' };
}

/** Whether the text is a page or a script. It runs for each chunk, so it looks only at the beginning. */
function looksLikePage(start: string): boolean {
  return /^[\s\ufeff]*(<|\/\*|\/\/|window\.|\()/.test(start.slice(0, 10_000));
}

const version = /(^|[\s{,])(["']?)(openapi|swagger)\2\s*:\s*["']?[23]\.\d/;
