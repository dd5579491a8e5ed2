import { ExecutorError, nearest, type Tool } from '@executor/protocol';
import type { Definitions, JsonSchema } from '../../ports/source.ts';
import { fieldOf, summaryOf } from '../signature/schema-summary.ts';
import { isShort } from '../signature/source-text.ts';

type Schemas = Pick<Tool, 'path' | 'inputSchema' | 'outputSchema' | 'definitions' | 'definitionsCut'>;

/** As long as a signature. */
const maxChars = 1_450;
const maxFieldChars = 8_000;

/** The schemas of a tool as a model may read them: whole if they are short, otherwise summarised by field. */
export function schemasOf({ path, ...schemas }: Schemas): Record<string, unknown> {
  const { inputSchema, outputSchema, definitions } = schemas;
  const whole = { inputSchema, outputSchema, definitions };
  if (isShort(whole, maxChars) && JSON.stringify(whole).length <= maxChars) return whole;
  const input = summaryOf(inputSchema as JsonSchema, definitionsIn(definitions), { maxChars });
  const output = summaryOf((outputSchema ?? true) as JsonSchema, definitionsIn(definitions), { maxChars });
  const cutField = input.cutField || (output.cutField ?? input.cutField);
  return {
    inputSchema: input.schema,
    ...(outputSchema !== undefined && { outputSchema: output.schema }),
    ...(cutField !== undefined && { schemasCut: cutNote(path, cutField) }),
  };
}

/** The schema of one field of the input, or of the result if the input has no such field. */
export function fieldSchemaOf(
  { path, inputSchema, outputSchema = true, definitions: all }: Schemas,
  field: string,
): Record<string, unknown> {
  const definitions = definitionsIn(all);
  const inInput = fieldOf(inputSchema as JsonSchema, definitions, field);
  const found = 'schema' in inInput ? inInput : fieldOf(outputSchema as JsonSchema, definitions, field);
  if ('known' in found) throw noSuchField(path, field, 'known' in inInput ? inInput.known : []);
  const root = found === inInput ? inputSchema : outputSchema;
  const { schema, cutField } = summaryOf(found.schema, definitionsFor(root as JsonSchema, definitions), {
    maxChars: maxFieldChars,
    path: field,
  });
  return {
    field,
    fieldSchema: schema,
    ...(cutField !== undefined && cutField !== field && { schemasCut: cutNote(path, cutField) }),
  };
}

function cutNote(path: string, field: string): string {
  const example = field === '' ? '{ path, field }' : JSON.stringify({ path, field: field.slice(0, 200) });
  return `Parts marked with "cut" are left out. tools.describe.tool(${example}) shows one field whole.`;
}

const maxListed = 30;

function noSuchField(path: string, field: string, known: string[]): ExecutorError {
  const similar = nearest(field.split('.').at(-1) ?? field, known);
  const listed = known.filter((name) => name.length <= 100).slice(0, maxListed);
  const more = known.length > listed.length ? ` and ${known.length - listed.length} more` : '';
  const hint = similar
    ? ` Did you mean ${similar}?`
    : ` Fields there: ${listed.join(', ') || 'none'}${more}.`;
  return new ExecutorError('invalidRequest', `${path} has no field ${field}.${hint}`);
}

function definitionsIn(definitions: Schemas['definitions']): Definitions | undefined {
  return definitions && { tracksEvaluated: false, get: (name) => ownValue(definitions, name) };
}

/** A part of a schema refers to the definitions of the whole schema. */
function definitionsFor(root: JsonSchema, shared: Definitions | undefined): Definitions {
  const own = typeof root === 'object' ? root.$defs : undefined;
  return {
    tracksEvaluated: false,
    get: (name) => ownValue(own, name) ?? shared?.get(name),
  };
}

function ownValue(definitions: unknown, name: string): JsonSchema | undefined {
  const all = definitions as Record<string, JsonSchema> | undefined;
  return all && Object.hasOwn(all, name) ? all[name] : undefined;
}
