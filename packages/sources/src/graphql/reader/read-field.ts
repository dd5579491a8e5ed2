import { createHash } from 'node:crypto';
import type { JsonSchema, Tool } from '@executor/engine';
import { getNamedType, isRequiredArgument } from 'graphql';
import { type JsonObject, setOwn } from '../../document/json.ts';
import type { ClosureHashes } from '../../schema/closure-hashes.ts';
import { withoutDescriptions } from '../../schema/without-descriptions.ts';
import { plainText } from '../../text/plain-text.ts';
import { defaultPageSize, type FieldPlan } from '../field-plan.ts';
import { connectionOf } from './connection.ts';
import type { DefaultSelections } from './default-selection.ts';
import { effectOfField } from './field-effect.ts';
import type { ResultSchemas } from './result-schemas.ts';
import type { RootField } from './root-fields.ts';
import { selectionText } from './selection-text.ts';
import type { TypeSchemas } from './type-schemas.ts';

export interface FieldContext {
  types: TypeSchemas;
  results: ResultSchemas;
  selections: DefaultSelections;
  hashes: ClosureHashes;
}

const maxDescriptionChars = 1_000;

/** The tool of a root field. */
export function readField(path: string, root: RootField, context: FieldContext): Tool {
  const { operation, field } = root;
  const { types, results, selections } = context;
  const selection = selections.of(field.type);
  const plan = planOf(root, selection && selectionText(selection));
  const inputSchema = inputOf(root, plan, types);
  return {
    path,
    description: describe(root, plan),
    ...effectOfField(operation, field.name),
    version: versionOf(root, { plan, inputSchema, hashes: context.hashes }),
    origin: { operation, field: field.name },
    ...(field.deprecationReason != null && { deprecated: true }),
    inputSchema,
    outputSchema: types.output(field.type, selection && results.of(selection)),
    plan,
  };
}

function planOf({ operation, field }: RootField, selection: string | undefined): FieldPlan {
  const names = new Set(field.args.map(({ name }) => name));
  const type = getNamedType(field.type);
  const isPaged = connectionOf(type) !== undefined && names.has('first') && names.has('last');
  return {
    operation,
    field: field.name,
    args: field.args.map(({ name, type: of }) => [name, String(of)]),
    ...(selection !== undefined && {
      result: { type: type.name, selection, selectField: names.has('select') ? '$select' : 'select' },
    }),
    ...(isPaged && { paged: true }),
  };
}

function inputOf({ field }: RootField, { result, paged }: FieldPlan, types: TypeSchemas): JsonSchema {
  const properties: JsonObject = {};
  for (const argument of field.args) {
    const description =
      paged && argument.name === 'first'
        ? `Default: ${defaultPageSize}, unless \`last\` is passed. ${argument.description ?? ''}`.trim()
        : argument.description;
    setOwn(
      properties,
      argument.name,
      types.describe(types.input(argument.type), { ...argument, description }),
    );
  }
  if (result) properties[result.selectField] = selectSchema(result);
  const required = field.args.filter(isRequiredArgument).map(({ name }) => name);
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

const maxShownSelection = 300;

function selectSchema({ type, selection }: NonNullable<FieldPlan['result']>): JsonSchema {
  const isShown = selection.length <= maxShownSelection;
  const [start = ''] = /^[^{}]{1,40}(?= )/.exec(selection) ?? [];
  const example = isShown ? `Default: ${selection}` : `For example: ${start}`;
  return { type: 'string', description: `Other fields of ${type} to return, in GraphQL. ${example}` };
}

function describe({ operation, field }: RootField, { paged }: FieldPlan): string {
  const parts = [
    field.deprecationReason != null && `Deprecated: ${plainText(field.deprecationReason, 300)}`,
    plainText(field.description ?? '', maxDescriptionChars) || `The ${operation} ${field.name.slice(0, 200)}`,
    paged &&
      'For the next page, pass `after` with `pageInfo.endCursor` while `pageInfo.hasNextPage` is true.',
  ];
  return parts.filter(Boolean).join('\n\n');
}

/** Changes if what is sent may change, and not if only descriptions do. */
function versionOf(
  { field }: RootField,
  { plan, inputSchema, hashes }: { plan: FieldPlan; inputSchema: JsonSchema; hashes: ClosureHashes },
): string {
  const inputs = field.args.map(({ type }) => hashes.of(getNamedType(type).name));
  const parts = [JSON.stringify([plan, withoutDescriptions(inputSchema)]), ...inputs];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);
}
