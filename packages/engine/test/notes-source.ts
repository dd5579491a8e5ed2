import { packTools } from '../src/catalog/tool-pack.ts';
import type { Invocation, InvocationOutcome, Source, SourceCall, Tool } from '../src/ports/source.ts';

/** One call that reached the source. */
export interface Received {
  path: string;
  input: Record<string, unknown>;
  callId: string;
  attempt: number;
}

type Behaviour = (invocation: Invocation, signal: AbortSignal) => Promise<InvocationOutcome>;

/** A system inside the process, with tools of each effect. It records every call it received. */
export class NotesSource implements Source {
  readonly kind = 'notes';
  readonly received: Received[] = [];
  readonly notes: string[] = [];
  /** Stands for everything that decides what a call sends. */
  version = '1';
  /** Replacements for the behaviour of tools. */
  readonly instead = new Map<string, Behaviour>();

  /** The calls that cannot be sent. */
  check?: Source['check'] | undefined;

  async load() {
    return { tools: packTools(this.#tools()), warnings: [] };
  }

  preview({ tool, input }: SourceCall) {
    return { to: 'notes', operation: tool.origin.name, version: this.version, input };
  }

  async invoke(invocation: Invocation, signal: AbortSignal): Promise<InvocationOutcome> {
    const { tool, call } = invocation;
    const input = invocation.input as Record<string, unknown>;
    this.received.push({ path: tool.path, input, callId: call.id, attempt: call.attempt });
    const behaviour = this.instead.get(tool.path) ?? this.#behaviours[tool.path];
    if (behaviour === undefined) throw new RangeError(`There is no ${tool.path}.`);
    return behaviour(invocation, signal);
  }

  /** Makes a tool receive calls without responding until it is released. */
  hold(path: string): () => void {
    let letGo = () => {};
    const held = new Promise<InvocationOutcome>((resolve) => {
      letGo = () => resolve({ type: 'value', value: null });
    });
    this.instead.set(path, () => held);
    return () => {
      this.instead.delete(path);
      letGo();
    };
  }

  count(path: string): number {
    return this.received.filter((received) => received.path === path).length;
  }

  readonly #behaviours: Record<string, Behaviour> = {
    'notes.list': async () => ({ type: 'value', value: [...this.notes] }),
    'notes.add': async ({ input }) => {
      const { text } = input as { text: string };
      this.notes.push(text);
      return { type: 'value', value: { text, position: this.notes.length } };
    },
    'notes.put': async ({ input }) => ({ type: 'value', value: input }),
    'notes.clear': async () => ({ type: 'value', value: this.notes.splice(0).length }),
    'notes.fail': async () => ({
      type: 'error',
      message: 'The note is locked.',
      details: { status: 423, code: 'locked' },
    }),
    'notes.hang': (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    'notes.large': async ({ input }) => ({
      type: 'value',
      value: 'x'.repeat((input as { bytes: number }).bytes),
    }),
    'notes.ask': async ({ ask }) => {
      const answer = await ask({
        kind: 'elicitation',
        prompt: 'What should the note say?',
        request: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      });
      return { type: 'value', value: answer };
    },
  };

  #tools(): Tool[] {
    const tool = (name: string, rest: Pick<Tool, 'effect' | 'repeatable'> & Partial<Tool>): Tool => ({
      path: `notes.${name}`,
      description: `${name} of notes`,
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      version: this.version,
      origin: { name },
      ...rest,
    });
    const text = {
      type: 'object',
      required: ['text'],
      properties: { text: { type: 'string' }, tag: { type: 'string', default: 'none' } },
      additionalProperties: false,
    };
    return [
      tool('list', { effect: 'read', repeatable: true }),
      tool('add', { effect: 'write', repeatable: false, inputSchema: text }),
      tool('put', { effect: 'write', repeatable: true, inputSchema: text }),
      tool('clear', { effect: 'destructive', repeatable: false }),
      tool('fail', { effect: 'read', repeatable: true }),
      tool('ask', { effect: 'read', repeatable: true }),
      tool('hang', { effect: 'read', repeatable: true, timeoutMs: 500 }),
      tool('large', {
        effect: 'read',
        repeatable: true,
        inputSchema: { type: 'object', required: ['bytes'], properties: { bytes: { type: 'integer' } } },
      }),
    ];
  }
}
