import type { JsonSchema } from '../ports/source.ts';
import { BudgetSpent } from './budget.ts';
import { type DocumentedDefault, documentedDefaults } from './documented-defaults.ts';
import { fillDefaults } from './fill-defaults.ts';
import { copyJson, setOwn } from './json-copy.ts';
import type { SchemaCheck } from './schema-check.ts';
import { isObject } from './schema-document.ts';
import { withoutUnsent } from './unsent-values.ts';

/** A checked input with the documented defaults of the fields that rules look at. */
export interface CompletedInput {
  /** What is sent. */
  input: unknown;
  /** What the server may act on instead, because a default cannot be sent or is not certain. */
  alternatives: unknown[];
}

/** More can only come from an input that was made for it. */
const maxDefaults = 1_000;
const maxAlternatives = 50;

/** A default that is sent can select another branch with more defaults, so the search is repeated until it adds none. */
export function completeInput(
  check: SchemaCheck,
  { schema, input, fields }: { schema: JsonSchema; input: unknown; fields: readonly string[] },
): CompletedInput {
  for (let completed = input; ; ) {
    const sent = withoutUnsent(completed, check.budget) ?? {};
    const area = { whole: false, fields };
    const found = documentedDefaults(check, { schema, input: completed, sent, area, limit: maxDefaults + 1 });
    if (found.length > maxDefaults) throw new BudgetSpent();
    const more = withSendable(check, schema, { input: completed, defaults: found });
    if (more === completed)
      return { input: completed, alternatives: alternativesOf(check, completed, found) };
    completed = more;
  }
}

interface Addition {
  input: unknown;
  defaults: DocumentedDefault[];
}

/** The input with those defaults that are certain and that the schema accepts. */
function withSendable(check: SchemaCheck, schema: JsonSchema, { input, defaults }: Addition): unknown {
  const certain = defaults.filter(({ isCertain }) => isCertain);
  const all = accepted(check, schema, { input, defaults: certain });
  if (all !== undefined || certain.length < 2) return all ?? input;
  return certain.reduce(
    (completed, one) => accepted(check, schema, { input: completed, defaults: [one] }) ?? completed,
    input,
  );
}

function accepted(check: SchemaCheck, schema: JsonSchema, addition: Addition): unknown {
  const { input, defaults } = addition;
  if (defaults.length === 0) return input;
  const tried = withDefaults(check, input, defaults);
  // The parts that the two inputs share are complete already, so this changes only what is new.
  fillDefaults(check, schema, tried);
  return check.evaluate(schema, tried, { location: undefined }).problems.length === 0 ? tried : undefined;
}

/** Each default alone, and all of them together. */
function alternativesOf(check: SchemaCheck, input: unknown, defaults: DocumentedDefault[]): unknown[] {
  if (defaults.length > maxAlternatives) throw new BudgetSpent();
  const single = defaults.map((one) => withDefaults(check, input, [one]));
  return single.length < 2 ? single : [...single, withDefaults(check, input, firstOfEach(defaults))];
}

/** Alternatives may have different defaults for one field. */
function firstOfEach(defaults: DocumentedDefault[]): DocumentedDefault[] {
  const fields = new Map<string, DocumentedDefault>();
  for (const one of defaults.toReversed()) fields.set(JSON.stringify(one.path), one);
  return defaults.filter((one) => fields.get(JSON.stringify(one.path)) === one);
}

/** The input with defaults. It shares all other parts with the input. Objects around a default that are missing or null are made. */
function withDefaults({ budget }: SchemaCheck, input: unknown, defaults: DocumentedDefault[]): unknown {
  const copies = new Set<unknown>();
  const copyOf = (value: unknown): Record<string, unknown> => {
    if (!isObject(value)) return {};
    if (copies.has(value)) return value;
    budget.spendOn(value, Object.keys(value).length);
    return { ...value };
  };
  const copied = copyOf(input);
  copies.add(copied);
  for (const { path, value } of defaults) {
    let object = copied;
    for (const [index, key] of path.entries()) {
      const current = Object.hasOwn(object, key) ? object[key] : undefined;
      const part = index === path.length - 1 ? copyJson(value, budget)?.value : copyOf(current);
      setOwn(object, key, part);
      if (!isObject(part)) break;
      copies.add(part);
      object = part;
    }
  }
  return copied;
}
