import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Execution,
  type ExecutionEvent,
  type Health,
  type Interaction,
  type Me,
  presenceHeader,
  type Resolution,
} from '@executor/protocol';

type Answer = { status?: number; body: unknown };

/**
 * A server with the API whose answers a test controls. It asks questions that no tool of the real server asks, and sends hostile text. It
 * records the answers, and completes the run when no question is open.
 */
export class StandIn {
  readonly answers: { id: string; resolution: Resolution; pin: string | undefined }[] = [];
  readonly execution: Execution;
  readonly interactions: Interaction[];
  /** The PIN that an answer needs, if any. */
  pin: string | undefined;
  /** The number of answers that get no response, as if the connection broke. */
  losesAnswers = 0;
  /** The final state of the run. */
  end: Partial<Execution> = { status: 'completed', result: 'done' };
  readonly #events: ExecutionEvent[] = [];
  readonly #server: Server;
  readonly #streams = new Set<ServerResponse>();

  constructor(asks: Partial<Interaction>[], execution: Partial<Execution> = {}) {
    this.interactions = asks.map((ask, index) => interaction(index, ask));
    this.execution = { ...baseExecution, ...execution };
    this.#server = createServer((request, response) => this.#serve(request, response));
    this.addEvent('execution.created', {});
    for (const asked of this.interactions) this.#addQuestion(asked);
  }

  /** Adds a question. */
  ask(ask: Partial<Interaction>): void {
    const asked = interaction(this.interactions.length, ask);
    this.interactions.push(asked);
    this.#addQuestion(asked);
  }

  async listen(): Promise<{ EXECUTOR_URL: string; EXECUTOR_TOKEN: string }> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = this.#server.address() as AddressInfo;
    return { EXECUTOR_URL: `http://127.0.0.1:${port}`, EXECUTOR_TOKEN: 'token' };
  }

  /** Adds an event to the journal of the run. */
  addEvent(type: string, data: Record<string, unknown>): void {
    const seq = this.#events.length + 1;
    const event = { id: String(seq), seq, executionId: this.execution.id, at: now(), type, data };
    this.#events.push(event);
    for (const stream of this.#streams) stream.write(frame(event));
  }

  /** Answers a question, as the user of the test or as another one. */
  settle(id: string, resolution: Resolution, actorId = 'act_me'): Interaction | undefined {
    const asked = this.interactions.find((candidate) => candidate.id === id);
    if (asked === undefined || asked.status !== 'pending') return undefined;
    asked.status = 'resolved';
    asked.resolvedAt = now();
    const { action, reason, scope } = resolution;
    asked.resolution = { action, actorId, ...(reason && { reason }), ...(scope && { scope }) };
    this.addEvent('interaction.resolved', { index: 0, interactionId: id, action, actorId });
    if (this.#pending().length === 0) this.finish();
    return asked;
  }

  finish(): void {
    Object.assign(this.execution, this.end, { finishedAt: now() });
    this.addEvent(`execution.${this.execution.status}`, {});
    for (const stream of this.#streams) stream.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #addQuestion({ id, kind }: Interaction): void {
    this.addEvent('interaction.requested', { index: 0, interactionId: id, kind });
  }

  #pending(): Interaction[] {
    return this.interactions.filter(({ status }) => status === 'pending');
  }

  #view(): Execution {
    const pending = this.#pending().map(({ id, kind, prompt, url }) => ({ id, kind, prompt, url }));
    return { ...this.execution, interactions: pending };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', 'http://stand-in');
    if (pathname.endsWith('/events')) return this.#stream(response);
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = text === '' ? {} : JSON.parse(text);
    const { status = 200, body: answer } = this.#answer(`${request.method} ${pathname}`, body, request);
    if (pathname.endsWith('/resolve') && this.losesAnswers-- > 0) return void response.destroy();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of this.#events) response.write(frame(event));
    if (this.execution.finishedAt) response.end();
    else this.#streams.add(response);
  }

  #answer(route: string, body: Record<string, unknown>, request: IncomingMessage): Answer {
    if (route === 'POST /v1/executions') return { status: 201, body: this.#view() };
    if (route.startsWith('GET /v1/executions/') || route.endsWith('/wait')) return { body: this.#view() };
    if (route.endsWith('/cancel')) {
      this.end = { status: 'cancelled' };
      this.finish();
      return { body: this.#view() };
    }
    if (route === 'POST /v1/sessions/links')
      return { status: 201, body: { url: 'http://127.0.0.1:1/#sign-in=code', expiresAt: now() } };
    if (route === 'GET /v1/health') return { body: health };
    if (route === 'GET /v1/me') return { body: me };
    if (route === 'GET /v1/interactions') return { body: this.#page(request) };
    const [, id = ''] = /\/v1\/interactions\/(\w+)/.exec(route) ?? [];
    if (route.startsWith('GET /v1/interactions/'))
      return { body: this.interactions.find((candidate) => candidate.id === id) };
    if (route.startsWith('POST /v1/interactions/')) return this.#resolve(id, body, request);
    return refusal(404, 'notFound', route);
  }

  #page(request: IncomingMessage): { items: Interaction[]; nextCursor?: string } {
    const { searchParams } = new URL(request.url ?? '', 'http://stand-in');
    const [from, limit] = [Number(searchParams.get('cursor') ?? 0), Number(searchParams.get('limit') ?? 50)];
    const pending = this.#pending().toReversed();
    const items = pending.slice(from, from + limit);
    return from + limit < pending.length ? { items, nextCursor: String(from + limit) } : { items };
  }

  #resolve(id: string, body: Record<string, unknown>, request: IncomingMessage): Answer {
    const pin = request.headers[presenceHeader] as string | undefined;
    if (this.pin !== undefined && pin !== this.pin)
      return refusal(
        403,
        'presenceRequired',
        pin === undefined ? 'This takes the PIN.' : 'That is not the PIN.',
      );
    const { ids = [id], ...resolution } = body as unknown as Resolution & { ids?: string[] };
    for (const one of ids) this.answers.push({ id: one, resolution, pin });
    const settled = ids.map((one) => ({ id: one, interaction: this.settle(one, resolution) }));
    const error = { code: 'conflict', message: 'It was answered before.' };
    if ('ids' in body)
      return { body: { items: settled.map((one) => (one.interaction ? one : { ...one, error })) } };
    return settled[0]?.interaction
      ? { body: settled[0].interaction }
      : refusal(409, error.code, error.message);
  }
}

function refusal(status: number, code: string, message: string): Answer {
  return { status, body: { error: { code, message } } };
}

function frame(event: ExecutionEvent): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function now(): string {
  return new Date().toISOString();
}

const health: Health = {
  status: 'ok',
  name: 'executor',
  version: '0.0.0',
  installationId: 'ins_1',
  database: 'ok',
};

const me: Me = {
  principal: { kind: 'person', credential: 'apiKey', workspaceId: 'wsp_1', actorId: 'act_me' },
  actor: { id: 'act_me', name: 'Me' },
  organization: { id: 'org_1', name: 'Us' },
  workspace: { id: 'wsp_1', name: 'Here' },
  server: { version: '0.0.0', database: 'pglite' },
};

const baseExecution: Execution = {
  id: 'exe_1',
  status: 'waiting',
  workspaceId: 'wsp_1',
  actorId: 'act_1',
  runtimeId: 'quickjs',
  createdAt: now(),
  startedAt: now(),
  code: 'return 1',
  logs: [],
  interactions: [],
  limits: { cpuMs: 1, memoryMb: 4, calls: 1, resultBytes: 1, logBytes: 1 },
};

function interaction(index: number, ask: Partial<Interaction>): Interaction {
  const id = `int_${index + 1}`;
  return {
    id,
    kind: 'approval',
    status: 'pending',
    prompt: 'May this call be made?',
    url: `http://127.0.0.1:1/approvals/${id}`,
    executionId: 'exe_1',
    askedBy: { kind: 'agent', ownerId: 'key_1', keyName: 'editor' },
    tool: { path: 'demo.write', input: { text: 'hello' }, effect: 'write' },
    request: { text: 'hello' },
    actions: ['approve', 'deny'],
    createdAt: now(),
    ...ask,
  };
}
