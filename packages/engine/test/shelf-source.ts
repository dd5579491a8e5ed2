import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type DocumentFiles, ExecutorError } from '@executor/protocol';
import { packTools } from '../src/catalog/tool-pack.ts';
import type {
  DetectedSource,
  Invocation,
  InvocationOutcome,
  LoadContext,
  LoadedSource,
  SecurityRequirement,
  SecurityScheme,
  Source,
  SourceCall,
  SourceDocument,
  SourceSettings,
  Tool,
  ToolRow,
} from '../src/ports/source.ts';

/** The description of a system of this kind. */
export interface ShelfDocument {
  title?: string;
  baseUrl?: string;
  schemes?: SecurityScheme[];
  tools: ({ name: string; security?: SecurityRequirement[]; inputSchema?: Tool['inputSchema'] } & Partial<
    Pick<ToolRow, 'effect' | 'repeatable' | 'suggestion' | 'origin' | 'version' | 'description' | 'target'>
  >)[];
  warnings?: LoadedSource['warnings'];
}

/**
 * A kind of system whose descriptions are in this process, by URL. It replaces a real kind and records its calls.
 */
export class ShelfSource implements Source {
  readonly kind = 'openapi';
  readonly shelf = new Map<string, string>();
  /** URLs that respond only to this Authorization header. */
  readonly guarded = new Map<string, string>();
  /** URLs that do not respond. */
  readonly silent = new Set<string>();
  /** Pages and the documents that they link to. */
  readonly leads = new Map<string, string>();
  /** The version of the reader, if it has changed. */
  reader = '';
  readonly loads: { settings: SourceSettings; auth: LoadContext['auth'] }[] = [];
  readonly received: Invocation[] = [];
  /** Loads wait for this promise if it is set. */
  gate: Promise<void> | undefined;
  shownInput?: Source['shownInput'];
  worstEffect?: Source['worstEffect'];
  answer: (invocation: Invocation) => Promise<InvocationOutcome> | InvocationOutcome = ({ input }) => ({
    type: 'value',
    value: { input },
  });

  put(url: string, document: ShelfDocument): void {
    this.shelf.set(url, JSON.stringify(document));
  }

  checkSettings({ command }: SourceSettings): void {
    if (command !== undefined) throw new ExecutorError('invalidRequest', 'A shelf has no command.');
  }

  loadsAgain(before: SourceSettings, after: SourceSettings): boolean {
    const readWith = ['url', 'serverVariables', 'externalReferences'];
    const isUnset = after.baseUrl === undefined && before.baseUrl !== undefined;
    return isUnset || readWith.some((name) => !isDeepStrictEqual(before[name], after[name]));
  }

  movesCalls(before: SourceSettings, after: SourceSettings): boolean {
    return !isDeepStrictEqual(before.serverVariables, after.serverVariables);
  }

  async detect(url: string): Promise<DetectedSource | undefined> {
    const leads = this.leads.get(url);
    if (leads !== undefined) return { settings: { url: leads } };
    const text = this.shelf.get(url) ?? this.shelf.get(`${url}/openapi.json`);
    if (text === undefined) return undefined;
    const { title } = JSON.parse(text) as ShelfDocument;
    const found = this.shelf.has(url) ? url : `${url}/openapi.json`;
    return { settings: { url: found }, ...(title !== undefined && { title }) };
  }

  async load(settings: SourceSettings, context: LoadContext): Promise<LoadedSource> {
    this.loads.push({ settings, auth: context.auth });
    context.onProgress?.({ stage: 'fetching', done: 1, total: 2 });
    if (this.gate) await Promise.race([this.gate, aborted(context.signal)]);
    const text = this.#text(settings, context);
    context.onProgress?.({ stage: 'reading' });
    const document = JSON.parse(text) as ShelfDocument;
    return {
      ...(document.title !== undefined && { title: document.title }),
      ...(document.baseUrl !== undefined && { baseUrl: filled(document.baseUrl, settings) }),
      document: {
        mediaType: 'application/json',
        bytes: Buffer.byteLength(text),
        hash: createHash('sha256').update(text).digest('hex'),
        pieces: [gzipSync(text)],
        ...filesOf(settings),
      },
      tools: packTools(
        document.tools
          .map((tool) => toolOf(tool, context.namespace))
          .map((tool) => (tool.target ? { ...tool, target: filled(tool.target, settings) } : tool))
          .map((tool) => ({ ...tool, version: `${tool.version}${this.reader}` })),
      ),
      security: document.schemes ?? [],
      warnings: document.warnings ?? [],
    };
  }

  preview({ tool, input, settings }: SourceCall) {
    return { to: settings.baseUrl ?? 'document', operation: tool.origin.name, input };
  }

  async invoke(invocation: Invocation): Promise<InvocationOutcome> {
    this.received.push(invocation);
    return this.answer(invocation);
  }

  #text({ url, document }: SourceSettings, { auth }: LoadContext): string {
    if (typeof document === 'string') return document;
    if (this.silent.has(String(url))) throw new ExecutorError('unreachable', `Nobody answers at ${url}.`);
    const secret = this.guarded.get(String(url));
    if (secret !== undefined && auth?.headers?.Authorization !== secret)
      throw new ExecutorError('invalidRequest', `${url} answered 401.`, { details: { status: 401 } });
    const text = this.shelf.get(String(url));
    if (text === undefined) throw new ExecutorError('unusableDocument', `Nothing is at ${url}.`);
    return text;
  }
}

/** URLs with variables: `{name:default}`. */
function filled(address: string, { serverVariables = {} }: SourceSettings): string {
  const values = serverVariables as Record<string, string>;
  return address.replace(/\{(\w+):([^}]*)\}/g, (_, name: string, usual: string) => values[name] ?? usual);
}

function toolOf({ name, security, ...row }: ShelfDocument['tools'][number], namespace: string) {
  return {
    path: `${namespace}.${name}`,
    description: `${name} of the shelf`,
    effect: 'read' as const,
    repeatable: true,
    version: '1',
    origin: { name },
    inputSchema: {
      type: 'object',
      properties: { text: { $ref: '#/$defs/Text' } },
      $defs: { Text: { type: 'string' } },
    },
    ...(security && { security }),
    ...row,
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** The files that were handed over, each in two pieces. */
function filesOf({ files }: SourceSettings): Partial<SourceDocument> {
  const documentFiles = files as DocumentFiles | undefined;
  if (documentFiles === undefined) return {};
  const stored = Object.entries(documentFiles.others).map(([name, text]) => {
    const packed = gzipSync(text);
    const hash = createHash('sha256').update(text).digest('hex');
    return {
      name,
      bytes: Buffer.byteLength(text),
      hash,
      pieces: [packed.subarray(0, 5), packed.subarray(5)],
    };
  });
  return { name: documentFiles.main, files: stored };
}
