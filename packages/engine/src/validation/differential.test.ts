import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../store/test/seeded-random.ts';
import type { JsonSchema } from '../ports/source.ts';
import { InputValidator } from './input-validator.ts';

const random = seededRandom(4);
const pick = <Value>(values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;
const some = <Value>(make: () => Value, most = 3): Value[] =>
  Array.from({ length: 1 + Math.floor(random() * most) }, make);
const names = ['a', 'b', 'c', 'ab'];
const scalars = [null, true, false, 0, 1, 2, 7, -3, 1.5, '', 'a', 'ab', 'abc', '😀'];

function anyValue(depth = 0): unknown {
  const shape = random();
  if (depth > 2 || shape < 0.4) return pick(scalars);
  if (shape < 0.65) return some(() => anyValue(depth + 1), 4).slice(Math.floor(random() * 2));
  return Object.fromEntries(names.filter(() => random() < 0.5).map((name) => [name, anyValue(depth + 1)]));
}

const keywords: Record<string, (depth: number) => unknown> = {
  type: () =>
    pick([
      'string',
      'number',
      'integer',
      'object',
      'array',
      'null',
      'boolean',
      ['object', 'array'],
      ['string', 'null'],
    ]),
  enum: () =>
    some(() => anyValue(2), 5).filter(
      (value, at, all) => all.findIndex((other) => JSON.stringify(other) === JSON.stringify(value)) === at,
    ),
  const: () => anyValue(1),
  minimum: () => pick([0, 1, 2]),
  exclusiveMaximum: () => pick([1, 2, 7]),
  multipleOf: () => pick([1, 2, 0.5]),
  minLength: () => pick([0, 1, 2]),
  maxLength: () => pick([0, 1, 2]),
  pattern: () => pick(['^a', 'b$', '^.$', 'a|c']),
  properties: (depth) => Object.fromEntries(some(() => [pick(names), anySchema(depth + 1)])),
  patternProperties: (depth) => ({ [pick(['^a', 'b$'])]: anySchema(depth + 1) }),
  additionalProperties: (depth) => anySchema(depth + 1),
  propertyNames: (depth) => anySchema(depth + 1),
  required: () => [...new Set(some(() => pick(names), 2))],
  dependentRequired: () => ({ [pick(names)]: [pick(names)] }),
  dependentSchemas: (depth) => ({ [pick(names)]: anySchema(depth + 1) }),
  minProperties: () => pick([0, 1, 2]),
  maxProperties: () => pick([1, 2]),
  prefixItems: (depth) => some(() => anySchema(depth + 1)),
  items: (depth) => anySchema(depth + 1),
  minItems: () => pick([0, 1, 2]),
  maxItems: () => pick([1, 2]),
  uniqueItems: () => true,
  allOf: (depth) => some(() => anySchema(depth + 1), 2),
  anyOf: (depth) => some(() => anySchema(depth + 1)),
  oneOf: (depth) => some(() => anySchema(depth + 1)),
  not: (depth) => anySchema(depth + 1),
  if: (depth) => anySchema(depth + 1),
  // biome-ignore lint/suspicious/noThenProperty: it is the name of the keyword
  then: (depth) => anySchema(depth + 1),
  else: (depth) => anySchema(depth + 1),
  $ref: () => pick(['#/$defs/a', '#/$defs/b', '#c']),
};

function anySchema(depth = 0): unknown {
  if (depth > 2 || random() < 0.1)
    return pick([true, true, false, { type: 'string' }, { type: 'object' }, {}]);
  return Object.fromEntries(
    some(() => pick(Object.keys(keywords)), 4).map((name) => [name, keywords[name]?.(depth)]),
  );
}

function anyDocument(): Record<string, unknown> {
  const root = anySchema() as Record<string, unknown>;
  const leaf = { type: pick(['string', 'object', 'array']), properties: { a: { $ref: '#' } } };
  return {
    ...root,
    $defs: {
      a: leaf,
      b: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'number' }] },
      c: { $anchor: 'c', items: leaf },
    },
  };
}

/**
 * Another implementation of the same specification as a reference. `contains` and the `unevaluated…` keywords are left out, because ajv departs
 * from the specification there (an empty array passes `contains`, a failed `if` counts as evaluated).
 */
const schemas = 150;

test(`${schemas} schemas with all keywords give the same results as ajv`, () => {
  const validator = new InputValidator();
  let compared = 0;
  for (let index = 0; index < schemas; index++) {
    const inputSchema = anyDocument();
    const ajv = new Ajv2020({
      strict: false,
      validateFormats: false,
      ownProperties: true,
      logger: false,
      validateSchema: false,
    });
    const reference = ajv.compile(inputSchema);
    for (let round = 0; round < 20; round++) {
      const input = anyValue();
      const { type } = validator.check(
        { path: 'a', version: '1', inputSchema: inputSchema as JsonSchema },
        input,
      );
      const expected = answerOf(() => reference(input));
      if (expected === undefined) continue;
      expect({ type, inputSchema, input }).toEqual({ type: expected, inputSchema, input });
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(schemas * 15);
});

/** Undefined if ajv crashes, as its generated code sometimes does. */
function answerOf(validate: () => unknown): 'valid' | 'invalid' | undefined {
  try {
    return validate() ? 'valid' : 'invalid';
  } catch {
    return undefined;
  }
}
