import { ChunkCache, type JsonSchema, type Tool, ToolPack } from '@executor/engine';
import type { OperationPlan } from '../src/openapi/operation.ts';
import { type ReadRequest, readDocument } from '../src/openapi/reader/read-document.ts';
import { responseField } from '../src/openapi/response-field.ts';

export type ReadTool = Tool & { plan: OperationPlan };

/** A document, as text or as JSON, read in this process: its tools unpacked, and everything else. */
export async function read(document: unknown, options: Partial<ReadRequest> = {}) {
  const bytes =
    document instanceof Uint8Array
      ? document
      : Buffer.from(typeof document === 'string' ? document : JSON.stringify(document));
  const {
    tools: packed,
    toolCount: _,
    ...rest
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
    ...rest,
    tools,
    definition: (name: string) => pack.get(name),
    tool: (path: string) => found(tools, path),
  };
}

/** Every input has it, and says how large integers are given, so that tests need not name that. */
function withoutResponseField(tool: ReadTool): ReadTool {
  const {
    properties,
    largeIntegers: _,
    ...schema
  } = tool.inputSchema as { properties: Record<string, unknown>; largeIntegers: string };
  const { [responseField]: field, ...rest } = properties;
  if (field === undefined) throw new RangeError(`${tool.path} has no field ${responseField}.`);
  return { ...tool, inputSchema: { ...schema, properties: rest } };
}

function found(tools: ReadTool[], path: string): ReadTool {
  const tool = tools.find((one) => one.path === path);
  if (tool === undefined)
    throw new RangeError(`There is no ${path}, only ${tools.map((one) => one.path).join(', ')}.`);
  return tool;
}

/** A document of one operation. */
export function withOperation(
  operation: object,
  { path = '/things', method = 'get', ...rest }: Record<string, unknown> = {},
) {
  return {
    openapi: '3.0.3',
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    ...rest,
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

/** What is made of one schema of a document, as a field of an input. */
export async function readSchema(schema: unknown, rest: Record<string, unknown> = {}) {
  const parameters = [{ name: 'value', in: 'query', schema }];
  const { tool, warnings, definition } = await read(withOperation({ parameters }, rest));
  const { properties } = tool('api.t.run').inputSchema as { properties: { value: JsonSchema } };
  return { schema: properties.value, warnings, definition };
}
