import type { Client } from '@executor/client';
import type { Figure } from './figure.ts';
import { initialize, post, type Server } from './mcp-calls.ts';

const sources = 20;

/** The size of the tools and instructions in a model's initial context, with many connected systems. */
export async function measureContext(server: Server, client: Client): Promise<Figure> {
  for (let number = 1; number <= sources; number++) {
    await client.sources.create({ document: documentOf(number), namespace: `connected_system_${number}` });
  }
  const { instructions } = await ask(server, initialize);
  const { tools } = await ask(server, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const characters = JSON.stringify(tools).length + String(instructions).length;
  if (!String(instructions).includes(`connected_system_${sources}`)) throw new Error(String(instructions));
  return {
    ...{ name: `tools/list and instructions, ${sources} sources`, value: characters, unit: 'characters' },
    target: 3_600,
  };
}

async function ask(server: Server, body: object): Promise<Record<string, unknown>> {
  const { text } = await post(server, { body, headers: {} });
  // In the session era a response is an event of a stream.
  return JSON.parse(text.startsWith('{') ? text : text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
    .result;
}

function documentOf(number: number): string {
  const responses = { 200: { description: 'ok' } };
  const operations = Array.from({ length: 30 }, (_, index) => [
    `/things/${index}`,
    { get: { operationId: `get${index}`, tags: ['things'], responses } },
  ]);
  const servers = [{ url: 'https://system.example' }];
  const info = { title: `System ${number}`, version: '1' };
  return JSON.stringify({ openapi: '3.0.3', info, servers, paths: Object.fromEntries(operations) });
}
