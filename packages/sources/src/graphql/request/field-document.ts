import type { Definitions, Tool } from '@executor/engine';
import { Kind, type SelectionSetNode } from 'graphql';
import { RequestError } from '../../call/request-error.ts';
import { defaultPageSize, type FieldPlan } from '../field-plan.ts';
import { checkSelect } from '../select/check-select.ts';
import { parseSelect, writeSelection } from '../select/parse-select.ts';
import { fieldOf } from '../select/partial-schema.ts';
import { entryName, type TypeEntry } from '../type-entry.ts';

/** The body of a GraphQL request. */
export interface FieldDocument {
  query: string;
  variables: Record<string, unknown>;
}

/** Writes the request for an input. Throws a `RequestError` if its selection is wrong. */
export function fieldDocument({ plan: made, definitions }: Tool, input: unknown): FieldDocument {
  const plan = made as FieldPlan;
  const variables = variablesOf(plan, isObject(input) ? input : {});
  const sent = plan.args.filter(([name]) => Object.hasOwn(variables, name));
  const declared = sent.map(([name, type]) => `$${name}: ${type}`).join(', ');
  const passed = sent.map(([name]) => `${name}: $${name}`).join(', ');
  const selection = plan.result && selectionOf(plan.result, isObject(input) ? input : {}, definitions);
  const operation = `${plan.operation} ${plan.field}${declared && `(${declared})`}`;
  const field = `${plan.field}${passed && `(${passed})`}`;
  return {
    query: `${operation} { ${field}${selection === undefined ? '' : ` { ${selection} }`} }`,
    variables,
  };
}

function variablesOf({ args, paged }: FieldPlan, input: Record<string, unknown>): Record<string, unknown> {
  // Without a prototype, because an argument may be called `__proto__`.
  const variables: Record<string, unknown> = Object.create(null);
  for (const [name] of args) if (Object.hasOwn(input, name)) variables[name] = input[name];
  if (paged && variables.first == null && variables.last == null) variables.first = defaultPageSize;
  return variables;
}

/** Checked selections, because a call is checked, shown and sent. */
const checked = new WeakMap<Definitions, Map<string, string>>();
const maxChecked = 100;

function selectionOf(
  { type, selection, selectField }: NonNullable<FieldPlan['result']>,
  input: Record<string, unknown>,
  definitions: Definitions | undefined,
): string {
  const text = Object.hasOwn(input, selectField) ? input[selectField] : undefined;
  if (typeof text !== 'string') return selection;
  if (definitions === undefined)
    throw new RequestError('The source has to be refreshed before select works.');
  const known = checked.get(definitions) ?? new Map<string, string>();
  checked.set(definitions, known);
  const key = `${type} ${text}`;
  const found = known.get(key) ?? checkedSelection(type, { text, selectField }, definitions);
  if (known.size >= maxChecked) known.clear();
  known.set(key, found);
  return found;
}

function checkedSelection(
  type: string,
  { text, selectField }: { text: string; selectField: string },
  definitions: Definitions,
): string {
  const selection = parseSelect(text, selectField);
  checkSelect({ type, selection, field: selectField }, definitions);
  const page = pageFields(type, selection, definitions);
  return `${writeSelection(selection)}${page}`;
}

/** A page is of little use without the position of the next one, so it is selected as well. */
function pageFields(type: string, { selections }: SelectionSetNode, definitions: Definitions): string {
  const entry = (name: string) => definitions.get(entryName(name)) as TypeEntry | undefined;
  const names = selections.map((node) => (node.kind === Kind.FIELD ? node.name.value : ''));
  const info = fieldOf(entry(type), 'pageInfo')?.[1].replace(/[[\]!]/g, '');
  const isPage = names.includes('nodes') || names.includes('edges');
  const isTaken = selections.some(
    (node) => node.kind === Kind.FIELD && (node.alias ?? node.name).value === 'pageInfo',
  );
  if (info === undefined || !isPage || isTaken) return '';
  const fields = ['hasNextPage', 'endCursor'].filter((name) => fieldOf(entry(info), name));
  return fields.length === 0 ? '' : ` pageInfo { ${fields.join(' ')} }`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
