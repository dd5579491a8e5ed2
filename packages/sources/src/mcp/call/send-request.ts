import type { Invocation } from '@executor/engine';
import type { RequestOptions, Tool as SdkTool, StandardSchemaV1 } from '@modelcontextprotocol/client';
import type { Session } from '../connection/session.ts';
import type { McpPlan } from '../plan.ts';
import type { Continuation } from './input-required.ts';

type Json = Record<string, unknown>;

/** Results are data. The SDK would reject a whole list because of one tool. */
export const anyResult: StandardSchemaV1<unknown, Json> = {
  '~standard': { version: 1, vendor: 'executor', validate: (value) => ({ value: Object(value) as Json }) },
};

/** The engine ends calls. The SDK's own timeout only must not be shorter. */
const neverMs = 2 ** 31 - 1;
const maxPages = 50;
const maxListed = 5_000;

/** Sends one request of a tool, and for lists the requests for all pages. */
export async function sendRequest(
  session: Session,
  { tool, input, progress }: Invocation,
  { signal, continuation }: { signal: AbortSignal; continuation: Continuation | undefined },
): Promise<Json> {
  const { method, name } = tool.plan as McpPlan;
  const { client, route } = session;
  const options: RequestOptions = {
    signal,
    timeout: neverMs,
    allowInputRequired: true,
    onprogress: ({ progress: done, total, message }) =>
      progress({ done, ...(total !== undefined && { total }), ...(message !== undefined && { message }) }),
  };
  const { requestState, inputResponses } = continuation ?? {};
  const continued = {
    ...(requestState !== undefined && { requestState }),
    ...(inputResponses && Object.keys(inputResponses).length > 0 && { inputResponses }),
  };
  const request = (params: Json, to: string = method) =>
    client.request({ method: to, params: { ...params, ...continued } }, anyResult, options);
  switch (method) {
    case 'tools/call': {
      const wantsLogs = route.era === 'modern' && client.getServerCapabilities()?.logging !== undefined;
      const params = {
        name: name ?? '',
        arguments: input as Json,
        ...(wantsLogs && { _meta: { 'io.modelcontextprotocol/logLevel': 'info' } }),
        ...continued,
      };
      const definition = { name: name ?? '', inputSchema: tool.inputSchema } as SdkTool;
      return (await client.callTool(params, { ...options, toolDefinition: definition })) as Json;
    }
    case 'resources/list': {
      const resources = await listPages('resources', (params) => request(params));
      const templates = await listPages('resourceTemplates', (params) =>
        request(params, 'resources/templates/list'),
      ).catch(() => []);
      return { resources, templates };
    }
    case 'prompts/list':
      return { prompts: await listPages('prompts', (params) => request(params)) };
    default:
      return request(input as Json);
  }
}

async function listPages(field: string, fetchPage: (params: Json) => Promise<Json>): Promise<unknown[]> {
  const all: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < maxPages && all.length < maxListed; page++) {
    const result = await fetchPage(cursor === undefined ? {} : { cursor });
    const items = result[field];
    if (Array.isArray(items)) all.push(...items.slice(0, maxListed - all.length));
    if (typeof result.nextCursor !== 'string' || result.nextCursor === cursor) break;
    cursor = result.nextCursor;
  }
  return all;
}
