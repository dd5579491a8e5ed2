import type { Client as ExecutorClient } from '@executor/client';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { AgentSession } from './task.ts';

/** What a client program shows its model. */
export interface ClientHabits {
  showsInstructions: boolean;
  /** Longer descriptions are cut. */
  maxDescription: number;
}

export interface Measured {
  executes: number;
  resumes: number;
  /** Characters of all arguments. */
  sent: number;
  /** Characters of what the client shows at the start, and of all answers. */
  received: number;
  /** Characters of what the client shows at the start. */
  start: number;
  errors: number;
}

interface Connecting {
  url: string;
  /** The user's own access, which starts and answers nothing by itself. */
  user: ExecutorClient;
  clientHabits: ClientHabits;
  userDenies: boolean;
}

/** A real MCP client in the role of an agent program. It measures everything that its model sees. */
export class McpSession implements AgentSession {
  readonly shown: string;
  readonly instructions: string;
  readonly tools: AgentSession['tools'];
  readonly measured: Measured;
  readonly transcript: { sent: unknown; received: string[] }[] = [];
  readonly #client: Client;
  readonly #of: Connecting;

  private constructor(client: Client, of: Connecting, tools: AgentSession['tools']) {
    this.#client = client;
    this.#of = of;
    this.tools = tools;
    this.instructions = of.clientHabits.showsInstructions ? (client.getInstructions() ?? '') : '';
    this.shown = `${this.instructions}\n${JSON.stringify(tools)}`;
    const start = this.shown.length;
    this.measured = { executes: 0, resumes: 0, sent: 0, received: start, start, errors: 0 };
  }

  static async connect(of: Connecting): Promise<McpSession> {
    const { key } = await of.user.apiKeys.create({ name: 'benchmark' });
    const client = new Client(
      { name: 'agent-benchmark', version: '1' },
      { versionNegotiation: { mode: 'auto' } },
    );
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${of.url}/mcp`), { requestInit }));
    const { tools } = await client.listTools();
    const shown = tools.map(({ name, description = '', inputSchema }) => {
      return { name, description: description.slice(0, of.clientHabits.maxDescription), inputSchema };
    });
    return new McpSession(client, of, shown);
  }

  async call(name: string, args: Record<string, unknown>): Promise<string[]> {
    const { measured } = this;
    measured[name === 'resume' ? 'resumes' : 'executes'] += 1;
    measured.sent += JSON.stringify(args).length;
    const texts = await this.#answerTo(name, args);
    measured.received += texts.reduce((sum, text) => sum + text.length, 0);
    this.transcript.push({ sent: { name, ...args }, received: texts });
    return texts;
  }

  async #answerTo(name: string, args: Record<string, unknown>): Promise<string[]> {
    try {
      const result = (await this.#client.callTool({ name, arguments: args })) as CallToolResult;
      const { content, structuredContent, isError } = result;
      if (isError) this.measured.errors += 1;
      const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
      return texts.length > 0 ? texts : [JSON.stringify(structuredContent ?? null)];
    } catch (error) {
      this.measured.errors += 1;
      return [(error as Error).message];
    }
  }

  /** The user answers every question that is open for the run. */
  async showUser(text: string): Promise<void> {
    const executionId = /exe_\w+/.exec(text)?.[0];
    if (executionId === undefined) return;
    const { user, userDenies } = this.#of;
    const { items } = await user.interactions.list({ executionId, status: 'pending', limit: 100 });
    for (const { id } of items) {
      await user.interactions.resolve({ id, action: userDenies ? 'deny' : 'approve' });
    }
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
