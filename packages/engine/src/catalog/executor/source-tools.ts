import { ExecutorError, type Source as SourceView, seedSource } from '@executor/protocol';
import { principalOfRun } from '../../identity/owner.ts';
import type { ExecutionRow } from '../../ports/execution-store.ts';
import type { Tool } from '../../ports/source.ts';
import type { Store } from '../../ports/store.ts';
import type { Initiator } from '../../source/initiator.ts';
import { mayReachPrivateNetwork } from '../../source/network/network-reach.ts';
import type { SourceRequest } from '../../source/source-request.ts';
import type { Sources } from '../../source/sources.ts';
import { type BuiltInTools, operationFor, toolDefaults } from './built-in-tools.ts';

interface Dependencies {
  store: Pick<Store, 'executions'>;
  sources: Pick<Sources, 'list' | 'get' | 'tools' | 'ensureAs' | 'refreshAs' | 'removeAs' | 'requireAddable'>;
}

type Operation = (input: never, initiator: Initiator) => Promise<unknown>;

/** `tools.executor.sources.*`. Tools that change sources are writes, so they need approval by default. */
export function sourceTools({ store, sources }: Dependencies): BuiltInTools {
  const operations: Record<string, Operation> = {
    'executor.sources.list': async (_, { principal }) => {
      const { items, loading } = await sources.list(principal, { limit: 1_000 });
      return { items: items.map(briefly), loading };
    },
    'executor.sources.inspect': async ({ namespace, filter, limit, cursor }: InspectInput, { principal }) => {
      // Without the kind of the principal: code never sees what only people see, because the journal keeps it.
      const source = await sources.get({ workspaceId: principal.workspaceId }, namespace);
      const query = { limit, ...(filter && { filter }), ...(cursor && { cursor }) };
      const { items, ...rest } = await sources.tools(principal, namespace, query);
      const tools = items.map(({ path, description, effect, approval }) => ({
        path,
        description,
        effect,
        approval,
      }));
      return { source: briefly(source), tools, ...rest };
    },
    'executor.sources.add': async (input: Record<string, unknown>, initiator) => {
      const { source, ignored } = withoutLooserApproval(seedSource(input));
      const added = briefly(await sources.ensureAs(initiator, source));
      return ignored === undefined ? added : { ...added, ignored: [ignored] };
    },
    'executor.sources.refresh': async ({ namespace }: { namespace: string }, initiator) => {
      const { source, ...difference } = await sources.refreshAs(initiator, namespace);
      return { source: briefly(source), ...difference };
    },
    'executor.sources.remove': async ({ namespace }: { namespace: string }, initiator) => {
      try {
        await sources.removeAs(initiator, namespace);
        return { namespace, removed: true };
      } catch (error) {
        // The removal may be repeated after a crash. The source is gone, so it succeeded.
        if (!(error instanceof ExecutorError) || error.code !== 'notFound') throw error;
        return { namespace, removed: false, message: error.message };
      }
    },
  };
  return {
    tools,
    operations: Object.fromEntries(
      Object.entries(operations).map(([path, operation]) => [
        path,
        operationFor(store, (input, execution) => operation(input, initiatorOf(execution))),
      ]),
    ),
    checks: {
      'executor.sources.add': (input: unknown, workspaceId) =>
        sources.requireAddable(workspaceId, seedSource(input)),
      'executor.sources.refresh': async ({ namespace }: { namespace: string }, workspaceId) => {
        await sources.get({ workspaceId }, namespace);
      },
    },
    previews: { 'executor.sources.add': previewOfAdding },
    shownInputs: { 'executor.sources.add': withoutSecrets },
  };
}

interface InspectInput {
  namespace: string;
  filter?: string;
  limit: number;
  cursor?: string;
}

function initiatorOf(execution: ExecutionRow): Initiator {
  return { principal: principalOfRun(execution), executionId: execution.id };
}

function briefly(source: SourceView) {
  const { id, namespace, name, kind, url, baseUrl, origins, toolCount, unseenCount, warningCount } = source;
  return { id, namespace, name, kind, url, baseUrl, origins, toolCount, unseenCount, warningCount };
}

/**
 * A source without a default that allows more than Executor's own: reads are allowed, writes ask. Only a person may choose it, in a request
 * of their own, because an approval of this call is easily given for the system alone.
 */
function withoutLooserApproval({ approval, ...source }: SourceRequest): {
  source: SourceRequest;
  ignored?: string;
} {
  if (approval?.write !== 'auto') return { source: { ...source, ...(approval && { approval }) } };
  const { write: _, ...kept } = approval;
  return {
    source: { ...source, ...(Object.keys(kept).length > 0 && { approval: kept }) },
    ignored:
      'Writes without approval were not allowed, because only a person can allow them: executor sources edit NS --approve-writes auto',
  };
}

/** Shows a reviewer what the input may not mention: the network reach of the source, and what Executor ignores. */
function previewOfAdding(input: unknown): unknown {
  const shown = withoutSecrets(input) as Record<string, unknown>;
  const source = validSource(input);
  if (source === undefined) return shown;
  const { ignored } = withoutLooserApproval(source);
  return {
    ...shown,
    ...(mayReachPrivateNetwork(source) && { network: 'calls may reach this machine and private networks' }),
    ...(ignored !== undefined && { ignored: [ignored] }),
  };
}

/** Undefined for an invalid request, which adds no source. */
function validSource(input: unknown): SourceRequest | undefined {
  try {
    return seedSource(input);
  } catch {
    return undefined;
  }
}

/** Shows a reviewer the kind of credentials, but not their secrets. */
function withoutSecrets(input: unknown): unknown {
  const { auth, ...rest } = input as { auth?: Record<string, unknown> };
  if (auth === undefined) return input;
  const isPlain = (key: string) =>
    ['type', 'mode', 'in', 'name', 'header', 'headerName', 'username'].includes(key);
  const shown = Object.entries(auth).map(([key, value]) => [key, isPlain(key) ? value : '[secret]']);
  return { ...rest, auth: Object.fromEntries(shown) };
}

const write = { ...toolDefaults, effect: 'write', timeoutMs: 10 * 60_000 } as const;
const namespace = { type: 'string', description: 'The first segment of its tools', maxLength: 200 };
const namespaceInput = {
  type: 'object',
  additionalProperties: false,
  required: ['namespace'],
  properties: { namespace },
};
const text = { type: 'string' };
const approval = { enum: ['auto', 'required'] };

const tools: Tool[] = [
  {
    ...toolDefaults,
    path: 'executor.sources.list',
    description: 'Lists the connected systems.',
    inputSchema: { type: 'object', additionalProperties: false, properties: {} },
  },
  {
    ...toolDefaults,
    path: 'executor.sources.inspect',
    description: 'Shows a connected system and its tools.',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['namespace'],
      properties: {
        namespace,
        filter: { type: 'string', maxLength: 200, description: 'A part of the path or the description' },
        limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
        cursor: { type: 'string', maxLength: 200, description: '`nextCursor` of the previous page' },
      },
    },
  },
  {
    ...write,
    path: 'executor.sources.add',
    description:
      'Connects a system by its document, such as an OpenAPI document. Its tools can be called as soon as this returns. `ignored` lists settings that only a person can set.',
    inputSchema: {
      type: 'object',
      // Every kind has settings of its own.
      additionalProperties: true,
      properties: {
        kind: text,
        type: text,
        name: text,
        namespace,
        url: { ...text, description: 'The URL of its document' },
        specUrl: text,
        spec: { type: ['string', 'object'], description: 'The document, or its URL' },
        document: { ...text, description: 'The document itself' },
        endpoint: text,
        baseUrl: { ...text, description: 'The server for calls. Overrides the document' },
        headers: { type: 'object', additionalProperties: text },
        auth: {
          type: 'object',
          description: '{ type: "bearer", token }, { type: "basic", username, password }, …',
        },
        approval: { type: 'object', properties: { read: approval, write: approval } },
        defaultApproval: approval,
        defaultReadApproval: approval,
        defaultWriteApproval: approval,
        allowPrivateNetwork: { type: 'boolean' },
        serverCa: { ...text, description: 'The certificate authority of its server, as PEM' },
        timeoutMs: { type: 'integer' },
        maxResponseBytes: { type: 'integer' },
      },
    },
  },
  {
    ...write,
    path: 'executor.sources.refresh',
    description: 'Reads the document of a connected system again, and reports the changes.',
    inputSchema: namespaceInput,
  },
  {
    ...write,
    path: 'executor.sources.remove',
    description: 'Disconnects a system.',
    inputSchema: namespaceInput,
  },
];
