import type { JsonSchema } from '@executor/engine';
import { isObject, own, stringsOf } from '../../../document/json.ts';
import type { Located } from '../../../document/json-pointer.ts';
import { artifactOutput } from '../schema/file-input.ts';
import type { Api } from './api.ts';
import { isStructured, type MediaKind, mediaKind } from './media-types.ts';
import type { Operation } from './operations.ts';

/** The output of a call and the media types that it accepts. */
export interface OperationOutput {
  /** Undefined if the document does not describe it. */
  schema?: JsonSchema;
  accept: string[];
}

interface Content {
  mediaType: string;
  schema?: Located;
}

const maxAlternatives = 5;
/** Statuses without a body in HTTP. */
const emptyCodes = new Set(['204', '205']);
const nullSchema: JsonSchema = { type: 'null' };

/** From the success responses, or the default response if there are none. */
export function readOutput(operation: Operation, api: Api): OperationOutput {
  const responses = successResponses(operation, api).map(({ code, ...response }) => ({
    isEmpty: emptyCodes.has(code),
    contents: contentsOf(response, operation, api),
  }));
  const schemas =
    operation.method === 'HEAD'
      ? [nullSchema]
      : responses.map(({ isEmpty, contents }) => (isEmpty ? nullSchema : outputOf(contents, api)));
  const types = responses.flatMap(({ contents }) => sorted(contents).map(({ mediaType }) => mediaType));
  const schema = combine(schemas);
  return { ...(schema !== undefined && { schema }), accept: [...new Set(types)].slice(0, 20) };
}

function combine(schemas: JsonSchema[]): JsonSchema | undefined {
  if (schemas.length <= 1) return schemas[0];
  const different = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  if (different.size <= 1) return schemas[0];
  if (different.has('true') || different.size > maxAlternatives) return true;
  return { anyOf: [...different.values()] };
}

function successResponses(
  operation: Operation,
  { references, warnings, dialect }: Api,
): (Located & { code: string })[] {
  const responses = own(operation.value, 'responses');
  const pointer = operation.pointer.at('responses');
  if (!isObject(responses)) {
    // Responses are optional since 3.1.
    if (dialect !== 'openapi3.1' || responses !== undefined) {
      warnings.add(pointer, 'There are no responses. The output may be any value.');
    }
    return [];
  }
  const codes = Object.keys(responses);
  const successCodes = codes.filter((code) => /^2(\d\d|XX)$/i.test(code)).sort();
  const chosen = successCodes.length > 0 ? successCodes : codes.filter((code) => code === 'default');
  return chosen.flatMap((code) => {
    const found = references.follow({ value: responses[code], pointer: pointer.at(code) });
    return found ? [{ ...found, code }] : [];
  });
}

function contentsOf({ value, pointer }: Located, operation: Operation, api: Api): Content[] {
  const content = own(value, 'content');
  if (isObject(content)) {
    return Object.keys(content).map((mediaType) => {
      const schema = own(own(content, mediaType), 'schema') ?? own(own(content, mediaType), 'itemSchema');
      const schemaPointer = pointer.at('content').at(mediaType).at('schema');
      return {
        mediaType,
        ...(schema !== undefined && schema !== null && { schema: { value: schema, pointer: schemaPointer } }),
      };
    });
  }
  const schema = own(value, 'schema');
  if (schema === undefined || schema === null) return [];
  const produces = stringsOf(own(operation.value, 'produces') ?? own(api.root, 'produces'));
  const types = produces.length > 0 ? produces : ['application/json'];
  return types.map((mediaType) => ({ mediaType, schema: { value: schema, pointer: pointer.at('schema') } }));
}

const ranks: (MediaKind | undefined)[] = ['json', undefined, 'stream', 'text', 'form', 'multipart', 'binary'];

function sorted(contents: Content[]): Content[] {
  const rank = ({ mediaType }: Content) => ranks.indexOf(mediaKind(mediaType));
  return contents.toSorted((a, b) => rank(a) - rank(b));
}

function outputOf(contents: Content[], api: Api): JsonSchema {
  const [best] = sorted(contents);
  // Many documents omit the response schema.
  if (best === undefined) return true;
  if (isFileResponse(best)) return { ...artifactOutput };
  const kind =
    mediaKind(best.mediaType) ??
    (isStructured(best.schema, api.references) || !best.schema ? 'json' : 'text');
  if (kind === 'json') return best.schema ? api.schemas.read(best.schema, 'output') : true;
  if (kind === 'stream') return streamOf(best, api);
  if (kind === 'text' || kind === 'form') return { type: 'string' };
  return { ...artifactOutput };
}

/** Swagger marks a binary response with the type `file`, whatever `produces` says. */
function isFileResponse({ schema }: Content): boolean {
  return own(schema?.value, 'type') === 'file' || own(schema?.value, 'format') === 'binary';
}

/** Events wrap their data in names and ids, so the schema does not apply to them. */
function streamOf({ mediaType, schema }: Content, api: Api): JsonSchema {
  const describesItems = schema && !mediaType.includes('event-stream');
  const isList = own(schema?.value, 'type') === 'array';
  if (describesItems)
    return isList
      ? api.schemas.read(schema, 'output')
      : { type: 'array', items: api.schemas.read(schema, 'output') };
  return { type: 'array' };
}
