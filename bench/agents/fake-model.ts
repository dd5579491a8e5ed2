import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ModelRequest {
  authorization: string | undefined;
  model: string;
  messages: { role: string; content: string | null }[];
  tools: { type: string; function: { name: string } }[];
}

/** What the fake model does in a turn: run code, resume the run of the last answer, or answer with a text. */
type Turn = { code: string } | 'resume' | (string & {});

export interface FakeModel {
  url: string;
  requests: ModelRequest[];
  close(): Promise<void>;
}

/** A server that speaks the wire format of OpenAI's chat completions and follows a script. */
export async function startFakeModel(turns: Turn[]): Promise<FakeModel> {
  const requests: ModelRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    requests.push({ ...body, authorization: request.headers.authorization });
    const message = messageFor(turns[requests.length - 1] ?? '', body.messages, requests.length);
    const finish = 'tool_calls' in message ? 'tool_calls' : 'stop';
    const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }];
    response.writeHead(request.url === '/v1/chat/completions' ? 200 : 404, {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion', model: body.model, choices }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function messageFor(turn: Turn, messages: ModelRequest['messages'], count: number) {
  if (typeof turn === 'object') return toolCall('execute', turn, count);
  if (turn !== 'resume') return { content: turn };
  const executionId = /exe_\w+/.exec(messages.at(-1)?.content ?? '')?.[0];
  return toolCall('resume', { executionId }, count);
}

function toolCall(name: string, args: object, count: number) {
  const call = { id: `call_${count}`, type: 'function', function: { name, arguments: JSON.stringify(args) } };
  return { content: null, tool_calls: [call] };
}
