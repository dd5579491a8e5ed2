import { setTimeout as pause } from 'node:timers/promises';
import { documentLinks } from './document-links.ts';
import { documentHeaders } from './fetch-document.ts';
import type { HttpClient } from './http-client.ts';

export interface FoundDocument {
  url: string;
  title?: string;
}

export interface ProbeOptions {
  signal: AbortSignal;
  allowPrivateNetwork: boolean;
  serverCa?: string | undefined;
  /** Probes only the URL itself and URLs below it: the host may have unrelated documents elsewhere. */
  near?: boolean;
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
const concurrency = 4;
const maxBytes = 64 * 1024 * 1024;
const maxPageBytes = 1024 * 1024;

/**
 * Finds the OpenAPI document for a URL: at the URL, linked from the page there, or at a common path, below the URL first. With `near`
 * it probes only below the URL. Undefined if none is found.
 */
export async function probeDocument(
  http: HttpClient,
  url: string,
  options: ProbeOptions,
): Promise<FoundDocument | undefined> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(totalMs)]);
  // A page's links are untrusted: private networks and the source's own CA apply only to the host that the user typed.
  const probe = (at: string) => {
    const isTyped = new URL(at).hostname === new URL(url).hostname;
    const allowPrivateNetwork = options.allowPrivateNetwork && isTyped;
    return probeUrl(http, at, {
      signal,
      allowPrivateNetwork,
      serverCa: isTyped ? options.serverCa : undefined,
    });
  };
  const first = await probe(url);
  if (first.type === 'document') return first.found;
  const linked = first.type === 'page' ? await followLinks(first, probe) : undefined;
  return linked ?? firstDocument(commonUrls(url, options.near ? 'below' : 'around'), probe);
}

type ProbeResult =
  | { type: 'document'; found: FoundDocument }
  | { type: 'page'; url: string; text: string }
  | { type: 'nothing' };
type Probe = (url: string) => Promise<ProbeResult>;

/** A page names the document itself, or in a script that it loads. */
async function followLinks(
  page: { url: string; text: string },
  probe: Probe,
): Promise<FoundDocument | undefined> {
  const { documents, scripts } = documentLinks(page.text, page.url);
  const found = await firstDocument(documents, probe);
  if (found) return found;
  for (const script of scripts) {
    const result = await probe(script);
    if (result.type !== 'page') continue;
    const named = await firstDocument(documentLinks(result.text, page.url).documents, probe);
    if (named) return named;
  }
  return undefined;
}

function commonUrls(url: string, where: 'below' | 'around'): string[] {
  const { origin, href } = new URL(url);
  const below = new URL(href.endsWith('/') ? href : `${href.split(/[?#]/)[0]}/`);
  const beside = new URL('.', href);
  const bases = where === 'below' ? [below.href] : [below.href, beside.href, `${origin}/`];
  return [...new Set(bases.flatMap((base) => wellKnown.map((path) => new URL(path, base).href)))].filter(
    (candidate) => candidate !== url,
  );
}

/** Tries a few candidates concurrently and returns the first in order that is a document. */
async function firstDocument(urls: string[], probe: Probe): Promise<FoundDocument | undefined> {
  for (let at = 0; at < urls.length; at += concurrency) {
    const results = await Promise.all(urls.slice(at, at + concurrency).map(probe));
    const found = results.find((result) => result.type === 'document');
    if (found) return found.found;
  }
  return undefined;
}

async function probeUrl(http: HttpClient, url: string, options: ProbeOptions): Promise<ProbeResult> {
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
    const kind = await recognise(response.body, response.status === 200);
    if (kind.type === 'document') return { type: 'document', found: { url, ...kind.title } };
    return kind.type === 'page' ? { ...kind, url: response.url } : kind;
  } catch {
    return { type: 'nothing' };
  } finally {
    end.abort();
    await deadline;
  }
}

type Recognised =
  | { type: 'document'; title: { title?: string } }
  | { type: 'page'; text: string }
  | { type: 'nothing' };

/** Reads until the kind is known; the version may be at the very end of a document. */
async function recognise(body: AsyncIterable<Uint8Array>, isSuccess: boolean): Promise<Recognised> {
  const decoder = new TextDecoder();
  let start = '';
  let recent = '';
  let read = 0;
  let found = false;
  for await (const chunk of body) {
    if (!isSuccess) return { type: 'nothing' };
    read += chunk.length;
    const text = decoder.decode(chunk, { stream: true });
    if (start.length < maxPageBytes) start += text;
    const isPage = looksLikePage(start);
    found ||= !isPage && version.test(recent + text);
    recent = text.slice(-100);
    // Reads a little further, for the title.
    if ((found && read > 64 * 1024) || read > (isPage ? maxPageBytes : maxBytes)) break;
  }
  if (found) return { type: 'document', title: titleOf(start) };
  return looksLikePage(start) ? { type: 'page', text: start } : { type: 'nothing' };
}

/** Whether the text is a page or a script. It runs for each chunk, so it looks only at the beginning. */
function looksLikePage(start: string): boolean {
  return /^[\s\ufeff]*(<|\/\*|\/\/|window\.|\()/.test(start.slice(0, 10_000));
}

const version = /(^|[\s{,])(["']?)(openapi|swagger)\2\s*:\s*["']?[23]\.\d/;

function titleOf(start: string): { title?: string } {
  const head = start.slice(0, 64 * 1024);
  const info = head.search(/(^|[\s{,])["']?info["']?\s*:/m);
  const text = info === -1 ? '' : head.slice(info, info + 20_000);
  const json = /"title"\s*:\s*("(?:[^"\\]|\\.){1,300}")/.exec(text)?.[1];
  const yaml = /^[ \t]+title:[ \t]*(["']?)([^\n]{1,300}?)\1[ \t\r]*$/m.exec(text)?.[2];
  const title = json === undefined ? yaml : parse(json);
  return title === undefined ? {} : { title };
}

function parse(json: string): string | undefined {
  try {
    return JSON.parse(json) as string;
  } catch {
    return undefined;
  }
}
