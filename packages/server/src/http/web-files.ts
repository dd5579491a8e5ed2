import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { Context } from 'hono';
import { inPieces } from './stream/pieces.ts';

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

interface WebFile {
  body: Uint8Array<ArrayBuffer>;
  type: string;
}

/** The built pages by path, read once. A request can only reach files in this map, so path traversal is impossible. */
export type WebFiles = ReadonlyMap<string, WebFile>;

export function readWebFiles(folder: string): WebFiles {
  return new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile())
      .map((path) => [
        `/${relative(folder, path).split(sep).join('/')}`,
        {
          body: new Uint8Array(readFileSync(path)),
          type: contentTypes[extname(path)] ?? 'application/octet-stream',
        },
      ]),
  );
}

/** Pages may run and load only this server's own files, and cannot be framed. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/**
 * Executor has no service worker. A program that had this port may have left one behind, and the browser asks for its script from time to
 * time. It gets one that removes itself and loads the open pages again.
 */
export function replaceServiceWorker(files: WebFiles, http: Context): Response | undefined {
  const script = http.req.header('service-worker') === 'script' && files.get('/no-service-worker.js');
  if (!script) return undefined;
  return http.body(script.body, 200, { 'content-type': script.type, 'cache-control': 'no-store' });
}

/** Serves the file at the path, or else the page, whose router handles the path. */
export function serveWebFile(files: WebFiles, http: Context): Response | undefined {
  const path = http.req.path;
  const file = files.get(path);
  const isPage = extname(path) === '' || (http.req.header('accept') ?? '').includes('text/html');
  const page = isPage && !path.startsWith('/assets/') ? files.get('/index.html') : undefined;
  const found = file ?? page;
  if (found === undefined) return undefined;
  return http.body(inPieces(found.body), 200, {
    'content-length': String(found.body.length),
    'content-type': found.type,
    // The build puts a hash of the content in the name of everything under /assets.
    'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-store',
    'content-security-policy': contentSecurityPolicy,
    'cross-origin-opener-policy': 'same-origin',
  });
}
