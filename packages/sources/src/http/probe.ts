import { setTimeout as pause } from 'node:timers/promises';
import { documentLinks } from './document-links.ts';
import { documentHeaders } from './fetch-document.ts';
import type { HttpClient } from './http-client.ts';

export interface Probed {
  url: string;
  title?: string;
}

export interface ProbeOptions {
  signal: AbortSignal;
  allowPrivateNetwork: boolean;
  serverCa?: string | undefined;
  /** Looks only at the URL itself and below it: the host may have unrelated documents elsewhere. */
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
const oneMs = 8_000;
const atOnce = 4;
const maxBytes = 64 * 1024 * 1024;
const maxPageBytes = 1024 * 1024;

/**
 * Finds the OpenAPI document for a URL: at the URL, linked from the page there, or at a common path, below the URL first. With `near`
 * it looks only below the URL. Undefined if none is found.
 */
export async function probeDocument(
  http: HttpClient,
  url: string,
  options: ProbeOptions,
): Promise<Probed | undefined> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(totalMs)]);
  // A page's links are untrusted: private networks and the source's own CA apply only to the host that the user typed.
  const look = (at: string) => {
    const isTyped = new URL(at).hostname === new URL(url).hostname;
    const allowPrivateNetwork = options.allowPrivateNetwork && isTyped;
    return lookAt(http, at, {
      signal,
      allowPrivateNetwork,
      serverCa: isTyped ? options.serverCa : undefined,
    });
  };
  const first = await look(url);
  if (first.type === 'document') return first.probed;
  const linked = first.type === 'page' ? await followLinks(first, look) : undefined;
  return linked ?? firstDocument(usualPlaces(url, options.near ? 'below' : 'around'), look);
}

type Sight =
  | { type: 'document'; probed: Probed }
  | { type: 'page'; url: string; text: string }
  | { type: 'nothing' };
type Look = (url: string) => Promise<Sight>;

/** A page names the document itself, or in a script that it loads. */
async function followLinks(page: { url: string; text: string }, look: Look): Promise<Probed | undefined> {
  const { documents, scripts } = documentLinks(page.text, page.url);
  const found = await firstDocument(documents, look);
  if (found) return found;
  for (const script of scripts) {
    const sight = await look(script);
    if (sight.type !== 'page') continue;
    const named = await firstDocument(documentLinks(sight.text, page.url).documents, look);
    if (named) return named;
  }
  return undefined;
}

function usualPlaces(url: string, where: 'below' | 'around'): string[] {
  const { origin, href } = new URL(url);
  const below = new URL(href.endsWith('/') ? href : `${href.split(/[?#]/)[0]}/`);
  const beside = new URL('.', href);
  const bases = where === 'below' ? [below.href] : [below.href, beside.href, `${origin}/`];
  return [...new Set(bases.flatMap((base) => wellKnown.map((place) => new URL(place, base).href)))].filter(
    (place) => place !== url,
  );
}

/** Tries a few candidates concurrently and returns the first in order that is a document. */
async function firstDocument(urls: string[], look: Look): Promise<Probed | undefined> {
  for (let at = 0; at < urls.length; at += atOnce) {
    const sights = await Promise.all(urls.slice(at, at + atOnce).map(look));
    const found = sights.find((sight) => sight.type === 'document');
    if (found) return found.probed;
  }
  return undefined;
}

async function lookAt(http: HttpClient, url: string, options: ProbeOptions): Promise<Sight> {
  const end = new AbortController();
  const signal = AbortSignal.any([options.signal, end.signal]);
  const deadline = pause(oneMs, undefined, { signal, ref: false }).then(
    () => end.abort(),
    () => {},
  );
  try {
    const response = await http.send(
      { method: 'GET', url, headers: documentHeaders },
      { ...options, signal, redirects: 'read' },
    );
    const sight = await recognise(response.body, response.status === 200);
    if (sight.type === 'document') return { type: 'document', probed: { url, ...sight.title } };
    return sight.type === 'page' ? { ...sight, url: response.url } : sight;
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
async function recognise(body: AsyncIterable<Uint8Array>, isAnswer: boolean): Promise<Recognised> {
  const decoder = new TextDecoder();
  let start = '';
  let recent = '';
  let read = 0;
  let found = false;
  for await (const piece of body) {
    if (!isAnswer) return { type: 'nothing' };
    read += piece.length;
    const text = decoder.decode(piece, { stream: true });
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
