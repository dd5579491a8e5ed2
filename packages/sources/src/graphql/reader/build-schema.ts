import {
  buildASTSchema,
  buildClientSchema,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  type IntrospectionQuery,
  Kind,
  parse,
  type TypeDefinitionNode,
  validateSchema,
} from 'graphql';
import { isTooDeep, maxDepth } from '../../document/depth.ts';
import { isObject, own } from '../../document/json.ts';
import { UnusableDocumentError } from '../../openapi/reader/document/document.ts';

export interface BuiltSchema {
  schema: GraphQLSchema;
  format: 'introspection' | 'sdl';
  /** Violations of the GraphQL specification that do not prevent using the schema. */
  problems: string[];
}

/** Builds the schema from the answer to an introspection query, or from schema definition language. */
export function buildGraphQlSchema(text: string): BuiltSchema {
  try {
    const isJson = /^\s*\{/.test(text.slice(0, 1_000));
    const schema = isJson ? fromIntrospection(parseJson(text)) : fromSdl(text);
    return {
      schema,
      format: isJson ? 'introspection' : 'sdl',
      problems: validateSchema(schema).map(({ message }) => message),
    };
  } catch (error) {
    if (error instanceof RangeError) throw new UnusableDocumentError(tooDeep);
    throw error;
  }
}

const tooDeep = `The schema is nested deeper than the limit of ${maxDepth} levels. Check the program that generated it.`;

function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new UnusableDocumentError(tooDeep);
  try {
    return JSON.parse(text);
  } catch {
    throw new UnusableDocumentError(
      'The schema is not valid JSON. Pass the answer to an introspection query, or schema definition language.',
    );
  }
}

function fromIntrospection(root: unknown): GraphQLSchema {
  const data = isObject(own(root, 'data')) ? own(root, 'data') : root;
  if (!isObject(own(data, '__schema'))) throw new UnusableDocumentError(noIntrospection(root));
  try {
    return buildClientSchema(data as IntrospectionQuery, { assumeValid: false });
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new UnusableDocumentError(`The introspection of the schema is invalid: ${shortMessage(error)}`);
  }
}

function noIntrospection(root: unknown): string {
  const errors = own(root, 'errors');
  const message = Array.isArray(errors) ? own(errors[0], 'message') : undefined;
  const advice = 'Pass its schema as a file, and the URL of the server as the base URL.';
  if (typeof message === 'string')
    return `The server refuses to describe its schema: ${cut(message)} ${advice}`;
  if (['openapi', 'swagger'].some((key) => own(root, key) !== undefined))
    return 'This is an OpenAPI document. Add it as a source of the kind openapi.';
  return `This is JSON, but not the answer to an introspection query. ${advice}`;
}

function fromSdl(text: string): GraphQLSchema {
  if (/^\s*</.test(text.slice(0, 1_000)))
    throw new UnusableDocumentError('This is a web page or XML, not a GraphQL schema. Check the URL.');
  try {
    // Locations would keep every token in memory.
    const document = parse(text, { noLocation: true });
    // Other systems' directives, such as those of federation, are often not declared.
    return buildASTSchema(withBases(document), { assumeValidSDL: true });
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const at = error instanceof GraphQLError ? error.locations?.[0] : undefined;
    const where = at ? ` at line ${at.line}, column ${at.column}` : '';
    throw new UnusableDocumentError(`The GraphQL schema is invalid${where}: ${shortMessage(error)}`);
  }
}

/** A part of a federated graph extends `Query` without defining it. Its first extension counts as the definition. */
function withBases(document: DocumentNode): DocumentNode {
  const defined = new Set(
    document.definitions.flatMap(({ kind, ...node }) =>
      kind.endsWith('TypeDefinition') ? [(node as TypeDefinitionNode).name.value] : [],
    ),
  );
  const definitions = document.definitions.map((node) => {
    if (node.kind !== Kind.OBJECT_TYPE_EXTENSION || defined.has(node.name.value)) return node;
    defined.add(node.name.value);
    return { ...node, kind: Kind.OBJECT_TYPE_DEFINITION } as TypeDefinitionNode;
  });
  return { ...document, definitions };
}

function shortMessage(error: unknown): string {
  return cut(error instanceof Error ? error.message : String(error));
}

function cut(message: string): string {
  const text = message.length > 300 ? `${message.slice(0, 300)}…` : message;
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
