import type { JsonSchema } from '../ports/source.ts';
import { BudgetSpent } from './budget.ts';
import { type DocumentedDefault, documentedDefaults } from './documented-defaults.ts';
import { fillDefaults } from './fill-defaults.ts';
import { copyJson, setOwn } from './json-copy.ts';
import type { SchemaCheck } from './schema-check.ts';
import { isObject } from './schema-document.ts';

/** A checked input with the documented defaults of the fields that rules look at. */
export interface CompletedInput {
  /** What is sent. */
  input: unknown;
  /** What the server may act on instead, because a default cannot be sent or is not certain. */
  alternatives: unknown[];
  /** The defaults that are not sent. */
  omitted: DocumentedDefault[];
}

/** More can only come from an input that was made for it. */
const maxAlternatives = 50;

export function completeInput(
  check: SchemaCheck,
  { schema, input, fields }: { schema: JsonSchema; input: unknown; fields: readonly string[] },
): CompletedInput {
  const found = documentedDefaults(check, { schema, input, fields });
  const looked = found.filter(({ path }) => fields.some((field) => isRelated(field, path.join('.'))));
  if (looked.length > maxAlternatives) throw new BudgetSpent();
  let completed = input;
  const sent = new Set<DocumentedDefault>();
  for (const one of looked.filter(({ isCertain }) => isCertain)) {
    const tried = withDefault(completed, one);
    fillDefaults(check, schema, tried);
    if (check.evaluate(schema, tried, { location: undefined }).problems.length > 0) continue;
    completed = tried;
    sent.add(one);
  }
  const unsent = looked.filter((one) => !sent.has(one));
  return {
    input: completed,
    alternatives: alternativesOf(completed, unsent),
    omitted: found.filter((one) => !sent.has(one)),
  };
}

/** Whether a condition on a field depends on the value at a path: it is the same, within it, or around it. */
function isRelated(field: string, path: string): boolean {
  return field === path || field.startsWith(`${path}.`) || path.startsWith(`${field}.`);
}

/** Each default alone, and all of them together. */
function alternativesOf(input: unknown, defaults: DocumentedDefault[]): unknown[] {
  const single = defaults.map((one) => withDefault(input, one));
  return single.length < 2 ? single : [...single, defaults.reduceRight(withDefault, input)];
}

/** A copy of the input with a default in it. Objects on the way to it that are missing are made. */
function withDefault(input: unknown, { path, value }: DocumentedDefault): unknown {
  const copy = copyJson(input)?.value;
  let object = copy;
  for (const [index, key] of path.entries()) {
    if (!isObject(object)) break;
    if (index === path.length - 1) setOwn(object, key, copyJson(value)?.value);
    else if (!Object.hasOwn(object, key)) setOwn(object, key, {});
    object = object[key];
  }
  return copy;
}
