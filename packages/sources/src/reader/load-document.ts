import type {
  LoadContext,
  LoadedSource,
  SecurityScheme,
  SourceDocument,
  SourceWarning,
} from '@executor/engine';
import { ExecutorError } from '@executor/protocol';
import { requireKnownVariables } from '../openapi/known-variables.ts';
import type { OpenApiSettings } from '../openapi/settings.ts';
import { fileNameOf, fileUrl, packFile } from './document-files.ts';
import type { DocumentFormat, FromReader } from './messages.ts';
import { type ReaderEnd, type ReaderLimits, ReaderProcess } from './reader-process.ts';
import { type ReferenceRule, refusalReason } from './reference-rule.ts';

/** Fetches the bytes of a document, or throws an `ExecutorError` that says why it cannot. */
export type FetchDocument = (url: string, options: { signal: AbortSignal }) => Promise<FetchedDocument>;

interface FetchedDocument {
  bytes: Uint8Array | AsyncIterable<Uint8Array>;
  mediaType?: string;
  /** URL after redirects. */
  url: string;
}

export interface LoadRequest {
  /** OpenAPI by default. */
  format?: DocumentFormat;
  settings: OpenApiSettings;
  context: LoadContext;
  fetchDocument: FetchDocument;
  /** Path of `reader.cjs`. */
  readerProgram: string;
  limits?: Partial<ReaderLimits>;
}

const maxDocumentBytes = 64 * 1024 * 1024;
const chunkChars = 512 * 1024;

/**
 * Reads a document in a child process. The bytes are streamed to it, and it returns packed tools. So a large document
 * costs the server neither memory nor event loop time.
 */
export async function loadDocument(request: LoadRequest): Promise<LoadedSource> {
  const { settings, context } = request;
  context.signal.throwIfAborted();
  context.onProgress?.({ stage: 'fetching' });
  // The process starts while the document is fetched.
  const load = new Load(request);
  const stop = () => load.reader.kill();
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    if (settings.url === undefined) await load.send(textChunks(settings.document ?? ''));
    else await load.sendFetched(request.fetchDocument(settings.url, context));
    const end = await load.reader.ended;
    context.signal.throwIfAborted();
    return await load.result(end);
  } finally {
    context.signal.removeEventListener('abort', stop);
    load.reader.kill();
  }
}

/** A load in progress: the reader process and the messages received from it. */
class Load {
  readonly reader: ReaderProcess;
  readonly #request: LoadRequest;
  readonly #tools: Uint8Array[] = [];
  readonly #original: Uint8Array[] = [];
  readonly #warnings: SourceWarning[] = [];
  #outcome: Extract<FromReader, { type: 'end' | 'refused' | 'failed' }> | undefined;
  #failure: unknown;
  #fetchedBytes = 0;
  /** URL of the document after redirects. */
  #url: string | undefined;
  /** Fetched documents that the document references, by URL. */
  readonly #referenced = new Map<string, Uint8Array[]>();

  constructor(request: LoadRequest) {
    this.#request = request;
    const { files } = request.settings;
    if (files) this.#url = fileUrl(files.main);
    this.reader = new ReaderProcess(
      request.readerProgram,
      {
        onMessage: (message) => this.#receive(message),
        onBytes: (kind, bytes) => (kind === 'tools' ? this.#tools : this.#original).push(bytes),
      },
      request.limits,
    );
  }

  async sendFetched(fetching: Promise<FetchedDocument>): Promise<void> {
    const resume = this.reader.pause();
    const { bytes, url } = await fetching.finally(resume);
    this.#url = url;
    await this.send(chunksOf(bytes));
  }

  async send(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const { settings, context, format = 'openapi' } = this.#request;
    const { namespace, previous = [], onProgress } = context;
    this.reader.send({
      type: 'begin',
      format,
      namespace,
      previous: previous.map(({ path, origin }) => ({ path, origin })),
      serverVariables: settings.serverVariables,
    });
    await this.#relay(chunks, () => onProgress?.({ stage: 'fetching', done: this.#fetchedBytes }));
    this.reader.send({ type: 'documentEnd', url: this.#url });
    onProgress?.({ stage: 'reading' });
  }

  async result(end: ReaderEnd): Promise<LoadedSource> {
    if (this.#failure !== undefined) throw this.#failure;
    const outcome = this.#outcome;
    if (outcome === undefined || outcome.type === 'failed') throw readerError(end, outcome?.stack);
    if (outcome.type === 'refused')
      throw new ExecutorError('unusableDocument', outcome.message, {
        ...(outcome.isOtherFormat && { details: { isOtherFormat: true } }),
      });
    const { settings, context } = this.#request;
    const entered = context.entered as OpenApiSettings | undefined;
    requireKnownVariables(entered?.serverVariables, new Map(outcome.serverVariables));
    const { files: uploaded } = settings;
    const files = await Promise.all(
      [...this.#referencedFiles()].map(([name, bytes]) => packFile(name, bytes)),
    );
    const document: SourceDocument = {
      ...outcome.document,
      pieces: this.#original,
      ...(uploaded && { name: uploaded.main }),
      ...(files.length > 0 && { files }),
    };
    const baseUrl = settings.baseUrl ?? outcome.baseUrl;
    return {
      ...(outcome.title !== undefined && { title: outcome.title }),
      ...(baseUrl !== undefined && { baseUrl }),
      document,
      tools: this.#tools,
      security: outcome.security as unknown as SecurityScheme[],
      warnings: this.#warnings,
    };
  }

  /** The uploaded files and the fetched documents. */
  *#referencedFiles(): Generator<[name: string, bytes: Uint8Array]> {
    const { files } = this.#request.settings;
    for (const [name, text] of Object.entries(files?.others ?? {})) yield [name, Buffer.from(text)];
    for (const [url, pieces] of this.#referenced) yield [url, Buffer.concat(pieces)];
  }

  #receive(message: FromReader): void {
    if (message.type === 'progress') {
      this.#request.context.onProgress?.({ stage: 'reading', done: message.done, total: message.total });
    } else if (message.type === 'warnings') {
      this.#warnings.push(...message.warnings);
    } else if (message.type === 'reference') {
      void this.#fetch(message.url);
    } else {
      this.#outcome = message;
    }
  }

  async #fetch(url: string): Promise<void> {
    const { settings, context, fetchDocument } = this.#request;
    const rule: ReferenceRule = {
      urls: [settings.url, this.#url].filter((own) => own !== undefined),
      externalReferences: settings.externalReferences,
    };
    try {
      if (settings.files && url.startsWith('file:')) return await this.#sendFile(url, settings.files.others);
      const refused = refusalReason(url, rule);
      if (refused !== undefined) return this.reader.send({ type: 'referenceRefused', message: refused });
      const resume = this.reader.pause();
      const fetched = await fetchDocument(url, context).finally(resume);
      const redirectRefused = refusalReason(fetched.url, rule);
      if (redirectRefused !== undefined) {
        await discard(fetched);
        return this.reader.send({ type: 'referenceRefused', message: redirectRefused });
      }
      const received: Uint8Array[] = [];
      await this.#relay(chunksOf(fetched.bytes), (chunk) => received.push(chunk));
      // Keyed by the URL in the document: the URL after redirects may carry credentials or change each time.
      this.#referenced.set(url, received);
      this.reader.send({ type: 'documentEnd', url: fetched.url });
    } catch (error) {
      if (this.#failure === undefined) this.#refuseReference(error);
    }
  }

  async #sendFile(url: string, others: Record<string, string>): Promise<void> {
    const name = fileNameOf(url) ?? '';
    if (!Object.hasOwn(others, name)) {
      const message = `no file ${name || url} was passed with the document`;
      return this.reader.send({ type: 'referenceRefused', message });
    }
    await this.#relay(textChunks(others[name] ?? ''));
    this.reader.send({ type: 'documentEnd', url });
  }

  #refuseReference(error: unknown): void {
    const message = error instanceof ExecutorError ? error.message : 'it could not be fetched';
    this.reader.send({ type: 'referenceRefused', message });
  }

  /** Streams bytes to the reader. Its timer is paused while the server waits for them. */
  async #relay(chunks: AsyncIterable<Uint8Array>, onChunk?: (chunk: Uint8Array) => void): Promise<void> {
    let resume = this.reader.pause();
    try {
      for await (const chunk of chunks) {
        resume();
        if (this.reader.hasEnded) break;
        await this.#sendChunk(chunk);
        onChunk?.(chunk);
        resume = this.reader.pause();
      }
    } finally {
      resume();
    }
  }

  async #sendChunk(chunk: Uint8Array): Promise<void> {
    this.#fetchedBytes += chunk.length;
    if (this.#fetchedBytes > maxDocumentBytes) {
      this.#failure = new ExecutorError(
        'payloadTooLarge',
        `The document is larger than ${maxDocumentBytes / 1024 / 1024} MB with its references. Use a document with fewer operations.`,
      );
      this.reader.kill();
      throw this.#failure;
    }
    await this.reader.sendDocument(chunk);
  }
}

function readerError(end: ReaderEnd, stack: string | undefined): ExecutorError {
  const cause = stack === undefined ? new Error(`The reader ended: ${end}`) : new Error(stack);
  switch (end) {
    case 'outOfMemory':
      return new ExecutorError(
        'payloadTooLarge',
        'Reading the document exceeded the memory limit. Use a document with fewer operations.',
        { cause },
      );
    case 'timedOut':
      return new ExecutorError(
        'timeout',
        'Reading the document timed out. Use a document with fewer operations.',
        {
          cause,
        },
      );
    default:
      return new ExecutorError(
        'internal',
        'The document could not be read because the reader process failed. Details are in the log: executor logs',
        { cause },
      );
  }
}

/** Destroys a body that is never read, so that its connection is freed. */
async function discard({ bytes }: FetchedDocument): Promise<void> {
  for await (const _ of chunksOf(bytes)) return;
}

async function* chunksOf(bytes: FetchedDocument['bytes']): AsyncGenerator<Uint8Array> {
  if (!(bytes instanceof Uint8Array)) return yield* bytes;
  for (let at = 0; at < bytes.length; at += chunkChars) yield bytes.subarray(at, at + chunkChars);
}

/** Encodes text in chunks, without a second copy of it and without splitting a character. */
async function* textChunks(text: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; ) {
    const isPair = /[\uD800-\uDBFF]/.test(text.charAt(at + chunkChars - 1));
    const end = at + chunkChars + (isPair ? 1 : 0);
    yield Buffer.from(text.slice(at, end));
    at = end;
  }
}
