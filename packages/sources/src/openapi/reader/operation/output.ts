import type { JsonSchema } from '@executor/engine';
import { isObject, own, stringsOf } from '../document/json.ts';
import type { Located } from '../document/place.ts';
import { artifactOutput } from '../schema/file-input.ts';
import type { Api } from './api.ts';
import { hasParts, type MediaKind, mediaKind } from './media-types.ts';
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

const maxForms = 5;
/** Statuses without a body in HTTP. */
const emptyCodes = new Set(['204', '205']);
const nothing: JsonSchema = { type: 'null' };

/** From the success responses, or the default response if there are none. */
export function readOutput(operation: Operation, api: Api): OperationOutput {
  const answers = successes(operation, api).map(({ code, ...response }) => ({
    isEmpty: emptyCodes.has(code),
    contents: contentsOf(response, operation, api),
  }));
  const schemas =
    operation.method === 'HEAD'
      ? [nothing]
      : answers.map(({ isEmpty, contents }) => (isEmpty ? nothing : outputOf(contents, api)));
  const types = answers.flatMap(({ contents }) => sorted(contents).map(({ mediaType }) => mediaType));
  const schema = oneOrMore(schemas);
  return { ...(schema !== undefined && { schema }), accept: [...new Set(types)].slice(0, 20) };
}

function oneOrMore(schemas: JsonSchema[]): JsonSchema | undefined {
  if (schemas.length <= 1) return schemas[0];
  const different = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  if (different.size <= 1) return schemas[0];
  if (different.has('true') || different.size > maxForms) return true;
  return { anyOf: [...different.values()] };
}

function successes(
  operation: Operation,
  { references, warnings, dialect }: Api,
): (Located & { code: string })[] {
  const responses = own(operation.value, 'responses');
  const place = operation.place.at('responses');
  if (!isObject(responses)) {
    // They are optional since 3.1.
    if (dialect !== 'openapi3.1' || responses !== undefined) {
      warnings.add(place, 'There are no responses. The output may be any value.');
    }
    return [];
  }
  const codes = Object.keys(responses);
  const good = codes.filter((code) => /^2(\d\d|XX)$/i.test(code)).sort();
  const chosen = good.length > 0 ? good : codes.filter((code) => code === 'default');
  return chosen.flatMap((code) => {
    const found = references.follow({ value: responses[code], place: place.at(code) });
    return found ? [{ ...found, code }] : [];
  });
}

function contentsOf({ value, place }: Located, operation: Operation, api: Api): Content[] {
  const content = own(value, 'content');
  if (isObject(content)) {
    return Object.keys(content).map((mediaType) => {
      const schema = own(own(content, mediaType), 'schema') ?? own(own(content, mediaType), 'itemSchema');
      const inside = place.at('content').at(mediaType).at('schema');
      return {
        mediaType,
        ...(schema !== undefined && schema !== null && { schema: { value: schema, place: inside } }),
      };
    });
  }
  const schema = own(value, 'schema');
  if (schema === undefined || schema === null) return [];
  const produces = stringsOf(own(operation.value, 'produces') ?? own(api.root, 'produces'));
  const types = produces.length > 0 ? produces : ['application/json'];
  return types.map((mediaType) => ({ mediaType, schema: { value: schema, place: place.at('schema') } }));
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
  if (isFileAnswer(best)) return { ...artifactOutput };
  const kind =
    mediaKind(best.mediaType) ?? (hasParts(best.schema, api.references) || !best.schema ? 'json' : 'text');
  if (kind === 'json') return best.schema ? api.schemas.read(best.schema, 'output') : true;
  if (kind === 'stream') return streamOf(best, api);
  if (kind === 'text' || kind === 'form') return { type: 'string' };
  return { ...artifactOutput };
}

/** Swagger marks a binary response with the type `file`, whatever `produces` says. */
function isFileAnswer({ schema }: Content): boolean {
  return own(schema?.value, 'type') === 'file' || own(schema?.value, 'format') === 'binary';
}

/** Events wrap their data in names and ids, so the schema does not apply to them. */
function streamOf({ mediaType, schema }: Content, api: Api): JsonSchema {
  const known = schema && !mediaType.includes('event-stream');
  const isList = own(schema?.value, 'type') === 'array';
  if (known)
    return isList
      ? api.schemas.read(schema, 'output')
      : { type: 'array', items: api.schemas.read(schema, 'output') };
  return { type: 'array' };
}
