import { ExecutorError, type Source as SourceView, seedSource } from '@executor/protocol';
import { principalOfRun } from '../../identity/owner.ts';
import type { ExecutionRow } from '../../ports/execution-store.ts';
import type { Tool } from '../../ports/source.ts';
import type { Store } from '../../ports/store.ts';
import type { Initiator } from '../../source/initiator.ts';
import { mayReachPrivateNetwork } from '../../source/network/network-reach.ts';
import type { Sources } from '../../source/sources.ts';
import { answering, type OwnTools, own } from './own-tools.ts';

interface Dependencies {
  store: Pick<Store, 'executions'>;
  sources: Pick<Sources, 'list' | 'get' | 'tools' | 'ensureAs' | 'refreshAs' | 'removeAs' | 'requireAddable'>;
}

type Operation = (input: never, initiator: Initiator) => Promise<unknown>;

/** `tools.executor.sources.*`. What changes something is a write, so a person approves it. */
export function sourceTools({ store, sources }: Dependencies): OwnTools {
  const operations: Record<string, Operation> = {
    'executor.sources.list': async (_, { principal }) => {
      const { items, loading } = await sources.list(principal, { limit: 1_000 });
      return { items: items.map(briefly), loading };
    },
    'executor.sources.inspect': async ({ namespace, filter, limit, cursor }: InspectInput, { principal }) => {
      const source = await sources.get(principal, namespace);
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
    'executor.sources.add': async (input: Record<string, unknown>, initiator) =>
      briefly(await sources.ensureAs(initiator, seedSource(input))),
    'executor.sources.refresh': async ({ namespace }: { namespace: string }, initiator) => {
      const { source, ...difference } = await sources.refreshAs(initiator, namespace);
      return { source: briefly(source), ...difference };
    },
    'executor.sources.remove': async ({ namespace }: { namespace: string }, initiator) => {
      try {
        await sources.removeAs(initiator, namespace);
        return { namespace, removed: true };
      } catch (error) {
        // Removing it once more, after a crash, is as good as once.
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
        answering(store, (input, execution) => operation(input, initiatorOf(execution))),
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

/** Whoever approves it sees what it may reach, though the input does not say it. */
function previewOfAdding(input: unknown): unknown {
  const shown = withoutSecrets(input) as Record<string, unknown>;
  return mayReachPrivate(input)
    ? { ...shown, network: 'it may reach this machine and private networks' }
    : shown;
}

function mayReachPrivate(input: unknown): boolean {
  try {
    return mayReachPrivateNetwork(seedSource(input));
  } catch {
    // It will not be added.
    return false;
  }
}

/** Whoever approves it sees that there are credentials, and which; not what they are. */
function withoutSecrets(input: unknown): unknown {
  const { auth, ...rest } = input as { auth?: Record<string, unknown> };
  if (auth === undefined) return input;
  const isPlain = (key: string) =>
    ['type', 'mode', 'in', 'name', 'header', 'headerName', 'username'].includes(key);
  const shown = Object.entries(auth).map(([key, value]) => [key, isPlain(key) ? value : '[secret]']);
  return { ...rest, auth: Object.fromEntries(shown) };
}

const write = { ...own, effect: 'write', timeoutMs: 10 * 60_000 } as const;
const namespace = { type: 'string', description: 'What its tools begin with', maxLength: 200 };
const ofOne = {
  type: 'object',
  additionalProperties: false,
  required: ['namespace'],
  properties: { namespace },
};
const text = { type: 'string' };
const approval = { enum: ['auto', 'required'] };

const tools: Tool[] = [
  {
    ...own,
    path: 'executor.sources.list',
    description: 'Lists the connected systems.',
    inputSchema: { type: 'object', additionalProperties: false, properties: {} },
  },
  {
    ...own,
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
        cursor: { type: 'string', maxLength: 200, description: '`nextCursor` of the page before' },
      },
    },
  },
  {
    ...write,
    path: 'executor.sources.add',
    description: 'Connects a system by its OpenAPI document; its tools can be called when this answers.',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        kind: text,
        type: text,
        name: text,
        namespace,
        url: { ...text, description: 'Where its document is' },
        specUrl: text,
        spec: { type: ['string', 'object'], description: 'The document, or where it is' },
        document: { ...text, description: 'The document itself' },
        endpoint: text,
        baseUrl: { ...text, description: 'Where calls go, whatever the document says' },
        headers: { type: 'object', additionalProperties: text },
        serverVariables: { type: 'object', additionalProperties: text },
        auth: {
          type: 'object',
          description: '{ type: "bearer", token }, { type: "basic", username, password }, …',
        },
        approval: { type: 'object', properties: { read: approval, write: approval } },
        defaultApproval: approval,
        defaultReadApproval: approval,
        defaultWriteApproval: approval,
        allowPrivateNetwork: { type: 'boolean' },
        externalReferences: { type: ['boolean', 'array'], items: text },
        serverCa: { ...text, description: 'Whom to trust for the certificate of its server, as PEM' },
        timeoutMs: { type: 'integer' },
        maxResponseBytes: { type: 'integer' },
      },
    },
  },
  {
    ...write,
    path: 'executor.sources.refresh',
    description: 'Reads the document of a connected system again, and says what has changed.',
    inputSchema: ofOne,
  },
  {
    ...write,
    path: 'executor.sources.remove',
    description: 'Disconnects a system.',
    inputSchema: ofOne,
  },
];
