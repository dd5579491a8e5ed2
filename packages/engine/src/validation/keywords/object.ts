import { nearest } from '@executor/protocol';
import {
  addSeen,
  below,
  eachUntilEnough,
  here,
  type Keyword,
  noneSeen,
  type Problem,
  problem,
  type Step,
} from '../schema-check.ts';
import { isObject, isSchema } from '../schema-document.ts';
import { matches } from './scalar.ts';

export const objectKeywords: Record<string, Keyword> = {
  properties(step) {
    const { argument, value } = step;
    if (!isObject(value) || !isObject(argument)) return;
    return checkEach(step, value, (key) => (Object.hasOwn(argument, key) ? [argument[key]] : []));
  },

  patternProperties(step) {
    const { argument, value } = step;
    if (!isObject(value) || !isObject(argument)) return;
    const rules = Object.entries(argument);
    return checkEach(step, value, (key) =>
      rules.filter(([pattern]) => matches(step, pattern, key)).map(([, schema]) => schema),
    );
  },

  additionalProperties(step) {
    const { argument, value } = step;
    if (!isObject(value) || !isSchema(argument)) return;
    const isAdditional = (key: string) => !isNamed(step, key);
    return argument === false
      ? unknownKeys(step, keysOf(step, value).filter(isAdditional))
      : checkEach(step, value, (key) => (isAdditional(key) ? [argument] : []));
  },

  unevaluatedProperties(step) {
    const { argument, value, seen } = step;
    if (!isObject(value) || !isSchema(argument) || !seen) return;
    const unseen = new Set(keysOf(step, value).filter((key) => !seen.keys.has(key)));
    return argument === false
      ? unknownKeys(step, [...unseen])
      : checkEach(step, value, (key) => (unseen.has(key) ? [argument] : []));
  },

  propertyNames(step) {
    const { argument, value, check, position } = step;
    if (!isObject(value) || !isSchema(argument)) return;
    return eachUntilEnough(keysOf(step, value), (key) => {
      const location = { parent: position.location, key };
      const wrong = check.evaluate(argument, key, { location }).problems;
      return wrong.map((one) => ({ ...one, kind: 'other' as const, text: `has a name that ${one.text}` }));
    });
  },

  required(step) {
    const { argument, value } = step;
    if (!isObject(value) || !Array.isArray(argument)) return;
    step.check.budget.spend(argument.length);
    return eachUntilEnough(argument, (key) =>
      typeof key === 'string' && !Object.hasOwn(value, key) ? [missing(step, value, key)] : [],
    );
  },

  dependentRequired(step) {
    const { argument, value } = step;
    if (!isObject(value) || !isObject(argument)) return;
    return dependents(step, (needed) =>
      (Array.isArray(needed) ? needed : []).flatMap((key) =>
        typeof key === 'string' && !Object.hasOwn(value, key) ? [missing(step, value, key)] : [],
      ),
    );
  },

  dependentSchemas: (step) =>
    dependents(step, (schema) => {
      const { problems, seen } = here(step, schema);
      if (problems.length === 0) addSeen(step, seen);
      return problems;
    }),

  minProperties: (step) => compareSize(step, (size, limit) => size >= limit, 'at least'),
  maxProperties: (step) => compareSize(step, (size, limit) => size <= limit, 'at most'),
};

/** Applies the schemas of each property. Iterates over the keys of the value, because a schema may have a hundred thousand properties. */
function checkEach(
  step: Step,
  value: Record<string, unknown>,
  schemasFor: (key: string) => unknown[],
): Problem[] {
  const problems: Problem[] = [];
  for (const key of keysOf(step, value)) {
    for (const schema of schemasFor(key)) {
      step.seen?.keys.add(key);
      if (problems.length < 10) problems.push(...below(step, schema, { key, value: value[key] }));
    }
  }
  return problems;
}

function keysOf({ check }: Step, value: Record<string, unknown>): string[] {
  const keys = Object.keys(value);
  check.budget.spendOn(value, keys.length);
  return keys;
}

function isNamed(step: Step, key: string): boolean {
  const { properties, patternProperties } = step.schema;
  if (isObject(properties) && Object.hasOwn(properties, key)) return true;
  return (
    isObject(patternProperties) &&
    Object.keys(patternProperties).some((pattern) => matches(step, pattern, key))
  );
}

function unknownKeys(step: Step, keys: string[]): Problem[] {
  if (step.seen) addSeen(step, { ...noneSeen(), keys: new Set(keys) });
  const known = Object.keys(isObject(step.schema.properties) ? step.schema.properties : {});
  return keys.slice(0, 10).map((key) => {
    const hint = nearest(key, known, step.check.hints);
    const names = known.length > 0 && known.length <= 12 ? `; known are ${known.join(', ')}` : '';
    const text = `is unknown${hint === undefined ? names : `; did you mean ${hint}?`}`;
    return { location: { parent: step.position.location, key }, kind: 'unknown', text };
  });
}

function missing(step: Step, value: Record<string, unknown>, key: string): Problem {
  const { properties, additionalProperties } = step.schema;
  const known = isObject(properties) ? properties : {};
  const schema = Object.hasOwn(known, key) ? known[key] : undefined;
  const expected = expectedTypes(schema).join(' or ');
  const type = expected === '' ? '' : ` (${expected})`;
  const unknown = keysOf(step, value).filter((other) => !Object.hasOwn(known, other));
  // If unknown fields are rejected, that problem is reported already.
  const twin = additionalProperties === false ? undefined : nearest(key, unknown, step.check.hints);
  const text = `is missing${type}${twin === undefined ? '' : `; is it what ${twin} was meant to be?`}`;
  return { location: { parent: step.position.location, key }, kind: 'missing', text };
}

/** The types that a schema accepts, as far as the schema itself says; none if a part of it does not say. */
function expectedTypes(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const { type, anyOf, oneOf } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string');
  const forms = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
  if (forms.length > maxForms) return [];
  const types = forms.map((form) =>
    isObject(form) && typeof form.type === 'string' ? form.type : undefined,
  );
  return [...new Set(types)].flatMap((one) => (types.includes(undefined) || one === undefined ? [] : [one]));
}

const maxForms = 8;

function dependents(step: Step, check: (argument: unknown) => Problem[]): Problem[] | undefined {
  const { argument, value } = step;
  if (!isObject(value) || !isObject(argument)) return;
  return eachUntilEnough(Object.keys(argument), (key) =>
    Object.hasOwn(value, key) ? check(argument[key]) : [],
  );
}

function compareSize(step: Step, holds: (size: number, limit: number) => boolean, words: string) {
  const { argument, value } = step;
  if (!isObject(value) || typeof argument !== 'number') return;
  const size = keysOf(step, value).length;
  return holds(size, argument)
    ? undefined
    : problem(step, `must have ${words} ${argument} fields, but has ${size}`);
}
