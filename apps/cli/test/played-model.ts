import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The next step of the model: it calls one of the offered tools, or writes text. */
type Step = { tool: string; input: Record<string, unknown> } | { text: string };

/** Chooses the next step from the results of the tools so far. */
type Script = (results: string[]) => Step;

interface GivenTool {
  name: string;
  namespace?: string;
}

/**
 * A server with both of OpenAI's APIs that plays a script instead of a model. The whole loop of an agent program runs against it.
 */
export class PlayedModel {
  readonly #server: Server;
  readonly #script: Script;
  /** The tools that the agent offered in its last request that included ours. */
  offered: string[] = [];

  private constructor(script: Script) {
    this.#script = script;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error) => response.destroy(error));
    });
  }

  static async start(script: Script): Promise<PlayedModel> {
    const model = new PlayedModel(script);
    await new Promise<void>((resolve) => model.#server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.url?.endsWith('/chat/completions')) return this.#complete(JSON.parse(body), response);
    if (request.url?.endsWith('/responses')) return this.#respond(JSON.parse(body), response);
    const models = { object: 'list', data: [{ id: 'played', object: 'model' }] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(models));
  }

  #next(tools: GivenTool[], results: string[]): { step: Step; tool?: GivenTool } {
    const step = this.#script(results);
    const tool = 'tool' in step ? tools.find(({ name }) => name.endsWith(step.tool)) : undefined;
    // A request without our tools asks for something else, such as a title.
    if (!tools.some(({ name }) => name.endsWith('execute'))) return { step: { text: 'A title' } };
    this.offered = tools.map(({ name }) => name);
    if ('tool' in step && tool === undefined) throw new Error(`The agent offered no tool "${step.tool}".`);
    return tool ? { step, tool } : { step };
  }

  // biome-ignore lint/suspicious/noExplicitAny: what agents send is theirs
  #complete({ messages, tools = [] }: any, response: ServerResponse): void {
    const offered = tools.map((tool: { function: GivenTool }) => ({ name: tool.function.name }));
    const results = messages.filter(({ role }: { role: string }) => role === 'tool').map(textOfContent);
    const { step, tool } = this.#next(offered, results);
    const called = 'tool' in step && tool && { name: tool.name, arguments: JSON.stringify(step.input) };
    const id = `call_${results.length + 1}`;
    const delta = called
      ? { role: 'assistant', tool_calls: [{ index: 0, id, type: 'function', function: called }] }
      : { role: 'assistant', content: 'text' in step ? step.text : '' };
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'played' };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const finish = { index: 0, delta: {}, finish_reason: called ? 'tool_calls' : 'stop' };
    stream(response, [
      { data: { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] } },
      { data: { ...chunk, choices: [finish], usage } },
    ]);
  }

  // biome-ignore lint/suspicious/noExplicitAny: what agents send is theirs
  #respond({ input, tools = [] }: any, response: ServerResponse): void {
    const offered = tools.flatMap(({ name = '', tools: members }: { name?: string; tools?: GivenTool[] }) =>
      members ? members.map((member) => ({ name: member.name, namespace: name })) : [{ name }],
    );
    const results = input
      .filter(({ type }: { type: string }) => type === 'function_call_output')
      .map(({ output }: { output: unknown }) => textOfContent({ content: output }));
    const { step, tool } = this.#next(offered, results);
    const item =
      'tool' in step
        ? {
            type: 'function_call',
            id: `fc_${results.length}`,
            call_id: `call_${results.length}`,
            ...tool,
            arguments: JSON.stringify(step.input),
            status: 'completed',
          }
        : {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: step.text, annotations: [] }],
          };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const answer = { id: 'resp_1', object: 'response', created_at: 1, model: 'played', usage };
    const events = [
      { type: 'response.created', response: { ...answer, status: 'in_progress', output: [] } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { ...answer, status: 'completed', output: [item] } },
    ];
    stream(
      response,
      events.map((data) => ({ event: data.type, data })),
    );
  }
}

function stream(response: ServerResponse, events: { event?: string; data: unknown }[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const { event, data } of events)
    response.write(`${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`);
  response.end('data: [DONE]\n\n');
}

/** The result of a tool, in any of the forms in which agents send it. */
function textOfContent({ content }: { content: unknown }): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content.map((part) => part.text ?? '').join('\n');
}
