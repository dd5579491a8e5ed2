import { ChunkCache, type JsonSchema, type Tool, ToolPack } from '@executor/engine';
import type { OperationPlan } from '../src/openapi/operation.ts';
import { type ReadRequest, readDocument } from '../src/openapi/reader/read-document.ts';
import { responseField } from '../src/openapi/response-field.ts';

export type ReadTool = Tool & { plan: OperationPlan };

/** Reads a document, as text or as JSON, in this process and unpacks its tools. */
export async function read(document: unknown, options: Partial<ReadRequest> = {}) {
  const bytes =
    document instanceof Uint8Array
      ? document
      : Buffer.from(typeof document === 'string' ? document : JSON.stringify(document));
  const {
    tools: packed,
    toolCount: _,
    ...summary
  } = readDocument({
    bytes,
    url: 'https://api.example.com/docs/openapi.json',
    namespace: 'api',
    previous: [],
    fetch: () => ({ refused: 'there is no network here' }),
    ...options,
  });
  const pack = await ToolPack.open(packed, new ChunkCache());
  const tools = [...pack.rows()].map(({ path }) => withoutResponseField(pack.find(path) as ReadTool));
  return {
    ...summary,
    tools,
    definition: (name: string) => pack.get(name),
    tool: (path: string) => findTool(tools, path),
  };
}

/** Removes the fields that every input has, so that tests need not name them. */
function withoutResponseField(tool: ReadTool): ReadTool {
  const {
    properties,
    largeIntegers: _,
    ...schema
  } = tool.inputSchema as { properties: Record<string, unknown>; largeIntegers: string };
  const { [responseField]: field, ...others } = properties;
  if (field === undefined) throw new RangeError(`${tool.path} has no field ${responseField}.`);
  return { ...tool, inputSchema: { ...schema, properties: others } };
}

function findTool(tools: ReadTool[], path: string): ReadTool {
  const tool = tools.find((one) => one.path === path);
  if (tool === undefined)
    throw new RangeError(`No tool ${path}. The tools are ${tools.map((one) => one.path).join(', ')}.`);
  return tool;
}

/** A document of one operation. */
export function withOperation(
  operation: object,
  { path = '/things', method = 'get', ...root }: Record<string, unknown> = {},
) {
  return {
    openapi: '3.0.3',
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    ...root,
    paths: {
      [path as string]: {
        [method as string]: {
          operationId: 'run',
          tags: ['t'],
          responses: { 204: { description: '' } },
          ...operation,
        },
      },
    },
  };
}

/** The input field that the reader makes from one schema of a document. */
export async function readSchema(schema: unknown, root: Record<string, unknown> = {}) {
  const parameters = [{ name: 'value', in: 'query', schema }];
  const { tool, warnings, definition } = await read(withOperation({ parameters }, root));
  const { properties } = tool('api.t.run').inputSchema as { properties: { value: JsonSchema } };
  return { schema: properties.value, warnings, definition };
}
