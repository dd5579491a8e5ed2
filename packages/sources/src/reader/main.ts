import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { readGraphQl } from '../graphql/reader/read-graphql.ts';
import { OtherFormatError, UnusableDocumentError } from '../openapi/reader/document/document.ts';
import { readDocument, requireTools } from '../openapi/reader/read-document.ts';
import { ParentSocket } from './parent-socket.ts';

/** The program of a reader process: receives one document, sends back its tools, and exits. */
const socket = new ParentSocket();
const chunkBytes = 256 * 1024;

serve().catch((error) => {
  if (error instanceof UnusableDocumentError)
    socket.send({
      type: 'refused',
      message: error.message,
      ...(error instanceof OtherFormatError && { isOtherFormat: true }),
    });
  else socket.send({ type: 'failed', stack: String(error?.stack ?? error).slice(0, 4_000) });
});

async function serve(): Promise<void> {
  const { message: begin } = socket.receive();
  const { message: end, bytes } = socket.receive();
  if (begin.type !== 'begin' || end.type !== 'documentEnd')
    throw new TypeError('Unexpected message from the server.');
  // zlib compresses on its own thread while this thread reads. It gets one chunk, because a second one would wait for this thread.
  const compressed = promisify(gzip)(bytes, { level: 4, chunkSize: bytes.length + 64 * 1024 });
  const { format, ...options } = begin;
  const request = {
    ...options,
    bytes,
    url: end.url,
    fetch: fetchFromServer,
    onProgress: (done: number, total: number) => socket.send({ type: 'progress', done, total }),
  };
  const read = format === 'graphql' ? readGraphQl(request) : readDocument({ ...request, format });
  requireTools(read);
  const { warnings, tools, mediaType, toolCount: _, noToolsReason: __, ...summary } = read;
  socket.send({ type: 'warnings', warnings });
  for (const chunk of tools) socket.sendBytes('tools', chunk);
  const original = await compressed;
  for (let at = 0; at < original.length; at += chunkBytes) {
    socket.sendBytes('original', original.subarray(at, at + chunkBytes));
  }
  const hash = createHash('sha256').update(bytes).digest('hex');
  socket.send({ type: 'end', ...summary, document: { mediaType, bytes: bytes.length, hash } });
}

function fetchFromServer(url: string): { bytes: Uint8Array; url: string } | { refused: string } {
  socket.send({ type: 'reference', url });
  const { message, bytes } = socket.receive();
  if (message.type === 'referenceRefused') return { refused: message.message };
  return { bytes, url: (message.type === 'documentEnd' && message.url) || url };
}
