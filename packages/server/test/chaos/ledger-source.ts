import {
  type Effect,
  type Invocation,
  type InvocationOutcome,
  packTools,
  type Source,
  type SourceCall,
  type Tool,
} from '@executor/engine';

const operations: Record<string, { effect: Effect; repeatable: boolean; asks?: string }> = {
  read: { effect: 'read', repeatable: true },
  write: { effect: 'write', repeatable: false },
  put: { effect: 'write', repeatable: true },
  remove: { effect: 'destructive', repeatable: false },
  consult: { effect: 'read', repeatable: true, asks: 'What is its state?' },
  order: { effect: 'write', repeatable: false, asks: 'How many?' },
};

/** One tool for each operation of the ledger. A request carries the id of its call. This source never retries. */
export class LedgerSource implements Source {
  readonly kind = 'ledger';
  readonly #url: string;
  readonly #timeoutMs: number;

  constructor(url: string, timeoutMs: number) {
    this.#url = url;
    this.#timeoutMs = timeoutMs;
  }

  async detect() {
    return undefined;
  }

  async load() {
    return { tools: packTools(Object.keys(operations).map((name) => this.#tool(name))), warnings: [] };
  }

  preview({ tool, input }: SourceCall) {
    return { method: 'POST', operation: tool.origin.name, body: input };
  }

  async invoke(invocation: Invocation, signal: AbortSignal): Promise<InvocationOutcome> {
    const { tool, call } = invocation;
    const name = String(tool.origin.name);
    const value = await this.#ask(name, invocation);
    const response = await fetch(`${this.#url}/${name}`, {
      method: 'POST',
      headers: { 'x-call-id': call.id, 'x-attempt': String(call.attempt) },
      body: JSON.stringify({ ...(invocation.input as object), ...(value !== undefined && { value }) }),
      signal,
    });
    const answer = (await response.json()) as { message: string };
    if (response.ok) return { type: 'value', value: answer };
    return { type: 'error', message: answer.message, details: { status: response.status } };
  }

  async #ask(name: string, { ask }: Invocation): Promise<unknown> {
    const prompt = operations[name]?.asks;
    if (prompt === undefined) return undefined;
    const request = { type: 'object', properties: { value: { type: 'string' } }, required: ['value'] };
    const answer = await ask({ kind: 'elicitation', prompt, request });
    return answer.type === 'submitted' ? (answer.data as { value: unknown }).value : answer.type;
  }

  #tool(name: string): Tool {
    const { effect, repeatable } = operations[name] as (typeof operations)[string];
    return {
      path: `ledger.${name}`,
      description: `${name} an entry of the ledger`,
      inputSchema: {
        type: 'object',
        required: ['key'],
        properties: { key: { type: 'string' }, bytes: { type: 'integer' } },
        additionalProperties: false,
      },
      effect,
      repeatable,
      version: '1',
      origin: { name },
      timeoutMs: this.#timeoutMs,
    };
  }
}
