import type { IncomingMessage, ServerResponse } from 'node:http';
import { type LocalServer, startLocalServer } from '../local-server.ts';
import { calendarDocument, driveDocument, gmailDocument } from './documents.ts';

export interface FakeGoogle extends LocalServer {
  /** The requests for anything but documents, oldest first. */
  requests: { method: string; url: string; contentType: string | undefined; body: string }[];
}

interface StoredFile {
  id: string;
  name: string;
  mimeType: string;
  size: string;
  content: Buffer;
}

const documents = { '/drive': driveDocument, '/calendar': calendarDocument, '/gmail': gmailDocument };

/** Drive and Calendar on loopback, with the wire format of Google: uploads, downloads, pages, and errors about scopes. */
export async function startFakeGoogle(): Promise<FakeGoogle> {
  const requests: FakeGoogle['requests'] = [];
  const files: StoredFile[] = [];
  const server = await startLocalServer(async (request, response) => {
    const url = new URL(request.url ?? '', server.url);
    const [, name = ''] = /^(\/\w+)\/\$discovery\/rest$/.exec(url.pathname) ?? [];
    if (name in documents) return sendJson(response, documents[name as keyof typeof documents](server.url));
    if (!/\/v\d\//.test(url.pathname)) {
      sendError(response, 404, 'Not found.', 'notFound');
      return;
    }
    const body = await bytesOf(request);
    const { method = '', headers } = request;
    requests.push({
      method,
      url: request.url ?? '',
      contentType: headers['content-type'],
      body: body.toString(),
    });
    if (headers.authorization === 'Bearer narrow') return refuseScope(response);
    if (url.pathname.startsWith('/upload/')) return upload(url, request, body, { response, files });
    if (url.pathname.startsWith('/drive/v3/files')) return drive(url, request, { response, files });
    return sendJson(response, body.length === 0 ? { items: [] } : JSON.parse(body.toString()));
  });
  return { ...server, requests };
}

interface Context {
  response: ServerResponse;
  files: StoredFile[];
}

function upload(url: URL, { headers }: IncomingMessage, body: Buffer, { response, files }: Context): void {
  const uploadType = url.searchParams.get('uploadType');
  const type = headers['content-type'] ?? '';
  const parts = uploadType === 'multipart' ? relatedParts(type, body) : [{ type, content: body }];
  const [metadata, media] = parts.length === 2 ? parts : [undefined, parts[0]];
  if (media === undefined || (metadata && !metadata.type.startsWith('application/json'))) {
    sendError(response, 400, 'Malformed multipart body.', 'badContent');
    return;
  }
  const { name = 'Untitled' } = metadata ? JSON.parse(metadata.content.toString()) : {};
  const id = `file-${files.length + 1}`;
  const file = { id, name, mimeType: media.type, size: String(media.content.length), content: media.content };
  files.push(file);
  sendJson(response, shown(file));
}

function drive(url: URL, { method }: IncomingMessage, { response, files }: Context): void {
  const [, id, isExport] = /^\/drive\/v3\/files(?:\/([^/]+)(\/export)?)?$/.exec(url.pathname) ?? [];
  if (id === undefined) {
    list(url, files, response);
    return;
  }
  const file = files.find((one) => one.id === id);
  if (file === undefined) sendError(response, 404, `File not found: ${id}.`, 'notFound');
  else if (method === 'DELETE') {
    files.splice(files.indexOf(file), 1);
    response.writeHead(204).end();
  } else if (url.searchParams.get('alt') === 'media' || isExport) {
    response.writeHead(200, { 'content-type': url.searchParams.get('mimeType') ?? file.mimeType });
    response.end(file.content);
  } else sendJson(response, shown(file));
}

function list(url: URL, files: StoredFile[], response: ServerResponse): void {
  const start = Number(url.searchParams.get('pageToken') ?? 0);
  const end = start + Number(url.searchParams.get('pageSize') ?? 100);
  sendJson(response, {
    files: files.slice(start, end).map(shown),
    ...(end < files.length && { nextPageToken: String(end) }),
  });
}

function shown({ content: _, ...file }: StoredFile) {
  return { kind: 'drive#file', ...file };
}

function refuseScope(response: ServerResponse): void {
  const scope = 'https://www.googleapis.com/auth/drive';
  response.setHeader(
    'www-authenticate',
    `Bearer realm="https://accounts.google.com/", error="insufficient_scope", scope="${scope}"`,
  );
  sendError(response, 403, 'Request had insufficient authentication scopes.', 'insufficientPermissions');
}

function sendError(response: ServerResponse, code: number, message: string, reason: string): void {
  response.statusCode = code;
  sendJson(response, { error: { code, message, errors: [{ message, domain: 'global', reason }] } });
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json; charset=UTF-8').end(JSON.stringify(value));
}

/** The parts of `multipart/related` (RFC 2387). */
function relatedParts(contentType: string, body: Buffer): { type: string; content: Buffer }[] {
  const boundary = /^multipart\/related;.*boundary="?([^";]+)/.exec(contentType)?.[1];
  if (boundary === undefined) return [];
  const pieces = body.toString('latin1').split(`--${boundary}`).slice(1, -1);
  return pieces.map((piece) => {
    const [head = '', ...content] = piece.slice(2, -2).split('\r\n\r\n');
    const type = /^content-type: (.*)$/im.exec(head)?.[1] ?? '';
    return { type, content: Buffer.from(content.join('\r\n\r\n'), 'latin1') };
  });
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
