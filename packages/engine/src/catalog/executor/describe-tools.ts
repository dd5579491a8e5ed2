import type { Tool } from '../../ports/source.ts';
import type { Store } from '../../ports/store.ts';
import type { Reader } from '../description/known-tools.ts';
import type { NamespaceQuery, ToolDescriptions } from '../description/tool-descriptions.ts';
import { type BuiltInTools, operationFor, readerOf, toolDefaults } from './built-in-tools.ts';
import { fieldSchemaOf, schemasOf } from './schema-answer.ts';

interface Dependencies {
  store: Pick<Store, 'executions'>;
  descriptions: Pick<ToolDescriptions, 'get' | 'namespace'>;
}

interface ToolQuery {
  path: string;
  includeSchemas: boolean;
  depth?: number;
  field?: string;
}

/** `tools.describe.*`: descriptions that code reads before it calls a tool. */
export function describeTools({ store, descriptions }: Dependencies): BuiltInTools {
  const operations: Record<string, (input: never, reader: Reader) => Promise<unknown>> = {
    'describe.tool': async ({ path, includeSchemas, depth, field }: ToolQuery, reader) => {
      const tool = await descriptions.get(reader, plainPath(path), depth === undefined ? {} : { depth });
      const { description, signature, example, effect, approval, auth, deprecated } = tool;
      const schemas = () => ({
        ...(field !== undefined && fieldSchemaOf(tool, field)),
        ...(field === undefined && includeSchemas && schemasOf(tool)),
      });
      return {
        path: tool.path,
        description,
        signature,
        example,
        effect,
        approval,
        auth,
        ...(deprecated && { deprecated }),
        ...(reader.meter?.measure(schemas) ?? schemas()),
      };
    },
    'describe.namespace': ({ path, ...page }: NamespaceQuery, reader) =>
      descriptions.namespace(reader, { ...page, ...(path !== undefined && { path: plainPath(path) }) }),
  };
  return {
    tools,
    operations: Object.fromEntries(
      Object.entries(operations).map(([path, operation]) => [
        path,
        operationFor(store, (input, execution, meter) => operation(input, readerOf(execution, meter))),
      ]),
    ),
  };
}

/** A path without the `tools.` that code writes in front. */
function plainPath(path: string): string {
  return path.replace(/^tools(\.|$)/, '');
}

const text = { type: 'string' };
const approval = { enum: ['allow', 'requireApproval', 'deny'] };
const effect = { enum: ['read', 'write', 'destructive'] };

const tools: Tool[] = [
  {
    ...toolDefaults,
    path: 'describe.tool',
    description:
      'Describes a tool: its signature as TypeScript, an example call, and its approval and credentials.',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['path'],
      properties: {
        path: { ...text, maxLength: 500, description: 'Such as github.issues.create' },
        depth: {
          type: 'integer',
          minimum: 1,
          maximum: 20,
          description: 'Levels of types to spell out. By default, as many as fit',
        },
        field: {
          ...text,
          minLength: 1,
          maxLength: 500,
          description: 'Show this field whole, such as labels or output.title',
        },
        includeSchemas: {
          type: 'boolean',
          default: false,
          description: 'Include the JSON Schemas. Large ones are summarised by field',
        },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['path', 'description', 'signature', 'example', 'effect', 'approval', 'auth'],
      properties: {
        path: text,
        description: text,
        signature: text,
        example: text,
        effect,
        approval,
        auth: {
          type: 'object',
          required: ['state'],
          properties: { state: { enum: ['notNeeded', 'ready', 'missing'] }, message: text },
        },
        deprecated: { type: 'boolean' },
        inputSchema: {},
        outputSchema: {},
        definitions: { type: 'object' },
        field: text,
        fieldSchema: {},
        schemasCut: text,
      },
    },
  },
  {
    ...toolDefaults,
    path: 'describe.namespace',
    description: 'Lists the tools and namespaces directly below a path, and the number of tools.',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        path: { ...text, maxLength: 500, description: 'Such as github.issues. By default, all sources' },
        limit: { type: 'integer', minimum: 1, maximum: 500, default: 100 },
        cursor: { ...text, maxLength: 20, description: '`nextCursor` of the previous page' },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['path', 'total', 'namespaces', 'tools'],
      properties: {
        path: text,
        total: { type: 'integer' },
        namespaces: {
          type: 'array',
          items: {
            type: 'object',
            required: ['path', 'tools'],
            properties: { path: text, tools: { type: 'integer' } },
          },
        },
        tools: {
          type: 'array',
          items: {
            type: 'object',
            required: ['path', 'description', 'effect', 'approval'],
            properties: { path: text, description: text, effect, approval },
          },
        },
        nextCursor: text,
      },
    },
  },
];
