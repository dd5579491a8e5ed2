import { describe, expect, test } from 'vitest';
import { typeScriptErrors } from '../../../test/typescript.ts';
import type { Definitions, JsonSchema, Tool } from '../../ports/source.ts';
import { declarationOf } from './declaration.ts';
import { exampleOf } from './example.ts';
import { signatureOf } from './signature.ts';

type Schemas = Pick<Tool, 'path' | 'inputSchema' | 'outputSchema' | 'definitions'>;

function tool(
  inputSchema: unknown,
  outputSchema?: unknown,
  definitions: Record<string, unknown> = {},
): Schemas {
  const shared: Definitions = {
    get: (name) => definitions[name] as JsonSchema | undefined,
    tracksEvaluated: false,
  };
  return {
    path: 'shop.orders.create',
    inputSchema: inputSchema as JsonSchema,
    ...(outputSchema !== undefined && { outputSchema: outputSchema as JsonSchema }),
    definitions: shared,
  };
}

const field = (schema: unknown) =>
  tool({ type: 'object', properties: { value: schema }, required: ['value'] });

test('required fields are first, with the first line of their descriptions', () => {
  const schema = {
    type: 'object',
    additionalProperties: false,
    required: ['title', 'owner'],
    properties: {
      body: { type: 'string', description: 'What it says.\n\nMore of it.' },
      owner: { type: 'string', description: 'Who it belongs to' },
      perPage: { type: 'integer', minimum: 1, maximum: 100, default: 30 },
      title: { type: 'string' },
    },
  };
  expect(signatureOf(tool(schema, { type: 'object', properties: { id: { type: 'integer' } } }))).toBe(
    [
      '(input: {',
      '  owner: string; // Who it belongs to',
      '  title: string;',
      '  body?: string; // What it says',
      '  perPage?: number; // 1 to 100; default 30',
      '}) => Promise<{ id?: number }>;',
    ].join('\n'),
  );
});

test('an empty input has no parameter, and an input without required fields is optional', () => {
  const empty = { type: 'object', additionalProperties: false, properties: {} };
  expect(signatureOf(tool(empty, { type: 'null' }))).toBe('() => Promise<null>;');
  expect(signatureOf(tool({ type: 'object', properties: { a: { type: 'boolean' } } }))).toBe(
    '(input?: { a?: boolean }) => Promise<unknown>;',
  );
});

test('a result without printed fields does not look like an empty object', () => {
  const names = Array.from({ length: 40 }, (_, index) => `field_${index}`);
  const output = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) };
  expect(signatureOf(tool({ type: 'object' }, output), { maxChars: 260 })).toContain(
    'Promise<{\n  // has field_0, field_1,',
  );
});

describe('every kind of schema has a type', () => {
  test.each([
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['a', 'b', null, 1] }, '"a" | "b" | null | 1'],
    [{ type: 'string', enum: ['a', 'b', 1] }, '"a" | "b"'],
    [{ const: { kind: 'x' } }, '{ kind: "x" }'],
    [{ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, 'string | string[]'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
    [{ type: 'array', items: { type: ['string', 'number'] } }, '(string | number)[]'],
    [
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 1, items: false },
      '[string, (number)?]',
    ],
    [{ type: 'array', prefixItems: [{ type: 'string' }] }, '[(string)?, ...unknown[]]'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    [
      { type: 'object', additionalProperties: false, patternProperties: { '^x-': { type: 'string' } } },
      'Record<string, string>',
    ],
    [{ type: 'object' }, 'Record<string, unknown>'],
    [{}, 'unknown'],
    [true, 'unknown'],
    [false, 'never'],
    [{ not: { type: 'string' } }, 'unknown'],
    [
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } } },
          { properties: { b: { type: 'number' } }, required: ['b', 'a'] },
        ],
      },
      '{ a: string; b: number }',
    ],
    [
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        anyOf: [{ required: ['a'] }, { required: ['b'] }],
      },
      '{ a?: string; b?: string } /* needs a, or b */',
    ],
    [{ allOf: [{ type: 'string' }, { description: 'words' }] }, 'string'],
    [{ type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] }, 'string'],
  ])('%j', async (schema, type) => {
    const signature = signatureOf(field(schema));
    expect(signature.replace(/ \/\/.*/g, '')).toBe(`(input: { value: ${type} }) => Promise<unknown>;`);
  });
});

const user = {
  type: 'object',
  properties: { login: { type: 'string' }, manager: { $ref: '#/$defs/simple-user' } },
  required: ['login'],
};

test('types that are used twice or inside of themselves are named, and types below the depth are only named', () => {
  const order = {
    type: 'object',
    properties: { buyer: { $ref: '#/$defs/simple-user' }, parcel: { $ref: '#/$defs/parcel' } },
  };
  const parcel = { type: 'object', properties: { to: { type: 'object', properties: { zip: {} } } } };
  const shown = tool({ type: 'object', properties: {} }, order, { 'simple-user': user, parcel });
  expect(signatureOf(shown, { depth: 3 })).toBe(
    [
      '(input?: Record<string, unknown>) => Promise<{ buyer?: SimpleUser; parcel?: { to?: { zip?: unknown } } }>;',
      'type SimpleUser = { login: string; manager?: SimpleUser };',
    ].join('\n'),
  );
  expect(signatureOf(shown, { depth: 1 })).toBe(
    [
      '(input?: Record<string, unknown>) => Promise<{ buyer?: SimpleUser; parcel?: Parcel }>;',
      '// a greater depth spells out SimpleUser, Parcel',
    ].join('\n'),
  );
});

test('schemas may refer to themselves in any way', () => {
  const definitions = {
    list: { type: 'array', items: { $ref: '#/$defs/list' } },
    lists: { type: 'array', items: { type: 'array', items: { $ref: '#/$defs/lists' } } },
    map: { type: 'object', additionalProperties: { $ref: '#/$defs/map' } },
    itself: { $ref: '#/$defs/itself' },
    choice: { anyOf: [{ $ref: '#/$defs/choice' }, { type: 'null' }] },
    all: { allOf: [{ $ref: '#/$defs/all' }, { type: 'object', properties: { a: {} }, required: ['a'] }] },
    needed: { type: 'object', properties: { next: { $ref: '#/$defs/needed' } }, required: ['next'] },
  };
  for (const name of Object.keys(definitions)) {
    const shown = tool(
      { type: 'object', required: ['x'], properties: { x: { $ref: `#/$defs/${name}` }, y: { $ref: '#' } } },
      { $ref: `#/$defs/${name}` },
      definitions,
    );
    expect(signatureOf(shown, { depth: 4 }).length, name).toBeLessThan(1_000);
    expect(declarationOf(shown, { prefix: 'T' }).types.join('').length, name).toBeLessThan(1_000);
    expect(exampleOf(shown).length, name).toBeLessThan(1_000);
  }
});

const hostile = [
  ...[
    '*/ alert(1) /*',
    `\`$\{x}\``,
    'a\nb',
    'a\r\nb',
    'a\u2028b',
    '\u202eevil\u202c',
    '__proto__',
    "'; drop",
  ],
  ...[
    '"',
    '\\',
    '\\"',
    '//',
    '<!--',
    '-->',
    '@ts-ignore',
    '\u0000',
    '\ud800',
    'a\u200bb',
    '',
    '}',
    '$\u007b',
  ],
];

test('hostile names and descriptions cannot break out of the code or be displayed misleadingly', async () => {
  const files: Record<string, string> = {};
  for (const [index, word] of hostile.entries()) {
    const properties = Object.fromEntries([
      [word, { type: 'string', description: word, format: word, default: word }],
      [`${word}2`, { enum: [word, `${word}${word}`], title: word }],
      ['deep', { type: 'object', properties: Object.fromEntries([[word, { $ref: `#/$defs/${word}` }]]) }],
    ]);
    const shown = {
      ...tool(
        { type: 'object', properties, required: [word], description: word, additionalProperties: false },
        { type: 'object', properties, required: [word] },
        Object.fromEntries([[word, { type: 'object', properties: { [word]: {} } }]]),
      ),
      path: `shop.${word}.x`,
    };
    const { type, types } = declarationOf(shown, { prefix: 'T' });
    const compact = [
      signatureOf(shown),
      signatureOf(shown, { depth: 5 }),
      signatureOf(shown, { maxChars: 150 }),
    ];
    for (const text of [...compact, type, exampleOf(shown)]) {
      expect(text.replaceAll('\n', '')).not.toMatch(
        /[\p{Cc}\p{Cf}\u2028\u2029]|[\ud800-\udbff](?![\udc00-\udfff])/u,
      );
    }
    for (const [length, text] of compact.entries()) {
      files[`${index}-${length}-type.ts`] = `type Signature = ${text}\nexport {};`;
      files[`${index}-${length}-program.ts`] = text;
    }
    files[`${index}-exact.ts`] = `${types.join('\n')}\ntype Signature = ${type};\nexport {};`;
    files[`${index}-example.ts`] = `declare const tools: any;\n${exampleOf(shown)};\nexport {};`;
  }
  expect(await typeScriptErrors(files)).toEqual([]);
  const checked = Object.entries(files).filter(([name]) => /exact|example/.test(name));
  expect(await typeScriptErrors(Object.fromEntries(checked), { types: true })).toEqual([]);
});

test('a signature never exceeds its maximum length, for any size of schema', () => {
  const many = (count: number, schema: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`a_field_of_many_${index}`, schema]));
  const wide = {
    type: 'object',
    properties: many(3_000, { type: 'string', description: 'words '.repeat(50) }),
  };
  const strict = { ...wide, required: Object.keys(wide.properties) };
  const long = { type: 'object', properties: { ['x'.repeat(5_000)]: { const: 'y'.repeat(5_000) } } };
  const values = field({ enum: Array.from({ length: 5_000 }, (_, index) => `value ${index}`) });
  for (const shown of [tool(wide, wide), tool(strict, strict), tool(long, long), values]) {
    for (const maxChars of [200, 1_500, 5_000])
      expect(signatureOf(shown, { maxChars }).length).toBeLessThanOrEqual(maxChars);
    expect(signatureOf(shown).length).toBeLessThanOrEqual(1_500);
  }
});

test('the work for a hostile schema is bounded', () => {
  const doubling = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => {
      const next = { $ref: `#/$defs/d${index + 1}` };
      return [
        `d${index}`,
        { allOf: [next, next, { anyOf: [next, { type: 'object', properties: { a: next } }] }] },
      ];
    }),
  );
  let nested: unknown = { type: 'string' };
  for (let level = 0; level < 20_000; level++) nested = { type: 'array', items: nested };
  let chosen: unknown = { type: 'string' };
  for (let level = 0; level < 20_000; level++) chosen = { anyOf: [chosen, { type: 'null' }] };
  for (const shown of [
    tool({ $ref: '#/$defs/d0' }, { $ref: '#/$defs/d0' }, doubling),
    field(nested),
    field(chosen),
  ]) {
    expect(signatureOf(shown, { depth: 50 }).length).toBeLessThanOrEqual(40_000);
    const { type, types } = declarationOf(shown, { prefix: 'T' });
    expect(type.length + types.join('').length).toBeLessThan(400_000);
    expect(exampleOf(shown).length).toBeLessThan(10_000);
  }
});

test('merged fields count against the limit of steps each time', () => {
  const properties = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`f${index}`, {}]));
  const wide = { type: 'object', properties };
  const own = (index: number) => ({ type: 'object', properties: { [`x${index}`]: {} }, required: ['f1'] });
  const again = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ allOf: [{ $ref: '#/$defs/wide' }, own(index)] }));
  const choices = (count: number) =>
    Array.from({ length: count }, () => ({ anyOf: [{ $ref: '#/$defs/wide' }, { type: 'null' }] }));
  const few = tool({ allOf: again(3) }, true, { wide });
  expect(signatureOf(few)).toContain('f1: unknown');
  expect(exampleOf(few)).toBe('await tools.shop.orders.create({ f1: "f1" })');
  expect(signatureOf(tool({ allOf: again(60) }, true, { wide }))).toBe(
    '(input: object) => Promise<unknown>; // too large to show. A call with a wrong input shows the fields in question',
  );
  const needed = tool({ allOf: [own(0), ...choices(60)] }, true, { wide });
  expect(exampleOf(needed)).toBe('await tools.shop.orders.create("input")');
});

test('fields with a default are optional', async () => {
  const shown = tool(
    {
      type: 'object',
      additionalProperties: false,
      required: ['a', 'b', 'c', 'd', 'e'],
      properties: {
        a: { type: 'string', default: 'x' },
        b: { $ref: '#/$defs/kind' },
        c: { allOf: [{ $ref: '#/$defs/kind' }, { description: 'words' }] },
        d: { type: 'string', default: null },
        e: { type: ['string', 'null'], default: null },
      },
    },
    { type: 'object', properties: { a: { type: 'string', default: 'x' } }, required: ['a'] },
    { kind: { enum: ['m', 'n'], default: 'm' } },
  );
  const signature = signatureOf(shown).replace(/ \/\/.*/g, '');
  expect(signature.replace(/\s+/g, ' ')).toBe(
    '(input: { d: string; a?: string; b?: "m" | "n"; c?: "m" | "n"; e?: string | null; }) => Promise<{ a: string; }>;',
  );
  const { type } = declarationOf(shown, { prefix: 'T' });
  expect(type.match(/\w\??:/g)?.slice(1)).toEqual(['a?:', 'b?:', 'c?:', 'd:', 'e?:', 'a:']);
  const all = tool({ type: 'object', required: ['a'], properties: { a: { default: 1 } } });
  expect(signatureOf(all)).toMatch(/^\(input\?: /);
  expect(declarationOf(all, { prefix: 'T' }).type).toMatch(/^\(input\?: /);
});

test('values and names of any length and number are printed in bounded size', () => {
  const long = 'v'.repeat(1_000_000);
  const many = Array.from({ length: 50_000 }, (_, index) => `value ${index}`);
  const required = ['a', 'b', 'c', 'd', 'e', long];
  const properties = {
    a: { enum: [long, 'short'], default: long },
    b: { const: { deep: [long] } },
    c: { type: 'string', default: long },
    d: { enum: many },
    e: { enum: [long] },
    [long]: {},
  };
  const shown = tool({ type: 'object', required, properties, additionalProperties: false });
  expect(exampleOf(shown)).toBe(
    'await tools.shop.orders.create({ a: "short", b: null as never, c: "c", d: "value 0", e: null as never })',
  );
  expect(declarationOf(shown, { prefix: 'T' })).toEqual({
    type: '(input: { a?: string; b: object; c?: string; d: string; e: string; [key: string]: any }) => Promise<any>',
    types: [],
  });
  expect(signatureOf(shown).length).toBeLessThan(1_500);
});

test('an object with too many fields accepts the fields that are not declared', () => {
  const names = Array.from({ length: 2_001 }, (_, index) => `f${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, {}]));
  const { type } = declarationOf(tool({ type: 'object', properties, additionalProperties: false }), {
    prefix: 'T',
  });
  expect(type).not.toContain('f2000?');
  expect(type).toContain('[key: string]: any');
});

test('an example has the required fields and typechecks', async () => {
  const shown = tool(
    {
      type: 'object',
      additionalProperties: false,
      required: ['name', 'at', 'size', 'kind', 'tags', 'place', '__proto__', 'either', 'count'],
      properties: {
        name: { type: 'string' },
        at: { type: 'string', format: 'date-time' },
        size: { type: 'integer', minimum: 10 },
        count: { type: ['null', 'integer'] },
        kind: { enum: ['a', 'b'], default: 'b' },
        tags: { type: 'array', items: { type: 'string' } },
        place: { $ref: '#/$defs/place' },
        note: { type: 'string' },
        either: {
          allOf: [{ properties: { a: { type: 'string' }, b: {} } }, { anyOf: [{ required: ['a'] }] }],
        },
        ['__proto__']: { type: 'boolean' },
      },
    },
    true,
    { place: { type: 'object', properties: { zip: { type: 'string' } }, required: ['zip'] } },
  );
  const example = exampleOf(shown);
  expect(example).toBe(
    'await tools.shop.orders.create({ name: "name", at: "2026-01-31T12:00:00Z", size: 10, count: 1, kind: "b", tags: ["tags"], place: { zip: "zip" }, either: { a: "a" }, ["__proto__"]: true })',
  );
  const { type, types } = declarationOf(shown, { prefix: 'T' });
  const declared = `declare const tools: { shop: { orders: { create: ${type} } } };\n${types.join('\n')}`;
  const errors = await typeScriptErrors(
    {
      'right.ts': `${declared}\n${example};\nexport {};`,
      'wrong.ts': `${declared}\n${example.replace('size: 10', 'size: "10"')};\nexport {};`,
      'missing.ts': `${declared}\n${example.replace('name: "name", ', '')};\nexport {};`,
      'misspelt.ts': `${declared}\n${example.replace('name: "name"', 'nme: "name"')};\nexport {};`,
    },
    { types: true },
  );
  expect(errors.map((error) => error.split(' ')[0])).toEqual([
    'missing.ts:2741',
    'misspelt.ts:2561',
    'wrong.ts:2322',
  ]);
});

test('the exact declaration accepts what the schema accepts', async () => {
  const shown = tool(
    {
      type: 'object',
      additionalProperties: false,
      properties: {
        open: { type: 'object', properties: { a: { type: 'number' } } },
        map: {
          type: 'object',
          properties: { a: { type: 'number' } },
          additionalProperties: { type: 'string' },
        },
        any: {},
        free: { type: 'object' },
        none: { type: 'object', additionalProperties: false },
      },
    },
    { type: 'object', properties: { name: { type: 'string' } } },
  );
  const { type, types } = declarationOf(shown, { prefix: 'T' });
  const head = `declare const call: ${type};\n${types.join('\n')}\n`;
  const right = `${head}call();call({ open: { a: 1, b: 2 }, map: { a: 1, b: 'x' }, any: [1], free: { x: 1 }, none: {} });export {};`;
  const errors = await typeScriptErrors(
    {
      'right.ts': right,
      'type.ts': `${head}call({ open: { a: 'x' } });export {};`,
      'closed.ts': `${head}call({ none: { x: 1 } });export {};`,
      'answer.ts': `${head}call({}).then((answer) => answer.nme);export {};`,
    },
    { types: true },
  );
  expect(errors.map((error) => error.split(' ')[0])).toEqual([
    'answer.ts:2551',
    'closed.ts:2322',
    'type.ts:2322',
  ]);
});

test('the exact declaration accepts digits for large integers if the tool does', () => {
  const properties = { id: { type: 'integer' }, name: { type: 'string' } };
  const typeFor = (root: object) =>
    declarationOf(tool({ type: 'object', properties, ...root }, true), { prefix: 'T' }).type;
  expect(typeFor({})).toContain('id?: number;');
  expect(typeFor({ largeIntegers: 'text' })).toMatch(/id\?: \(number \| `\$\{bigint\}`\);/);
});

test('The field that the server explains for all tools is left out', () => {
  const $response = { enum: ['body', 'full'] };
  expect(signatureOf(tool({ type: 'object', properties: { a: { type: 'string' }, $response } }))).toBe(
    '(input?: { a?: string }) => Promise<unknown>;',
  );
  expect(signatureOf(tool({ type: 'object', properties: { $response } }))).toBe('() => Promise<unknown>;');
  const inner = { type: 'object', properties: { $response: { type: 'string' } } };
  expect(signatureOf(tool({ type: 'object', properties: { inner } }))).toContain('$response?: string');
});

describe('The fields in question', () => {
  const size = {
    type: 'object',
    required: ['unit'],
    properties: { unit: { enum: ['cm', 'in'] }, height: { type: 'number' } },
  };
  const fields = Array.from({ length: 300 }, (_, index) => [
    `other${index}`,
    { type: 'string', description: 'x'.repeat(60) },
  ]);
  const wide = tool({ type: 'object', properties: { ...Object.fromEntries(fields), size } });

  test('are spelt out, whatever else is left out', () => {
    expect(signatureOf(wide, { maxChars: 700 })).not.toContain('size');
    const text = signatureOf(wide, { maxChars: 700, fields: ['size'] });
    expect(text.length).toBeLessThanOrEqual(700);
    expect(text).toContain('size?: { unit: "cm" | "in"; height?: number };');
  });

  test('are left out if they alone are too long', () => {
    const text = signatureOf(wide, { maxChars: 300, fields: fields.map(([key]) => String(key)) });
    expect(text.length).toBeLessThanOrEqual(300);
    expect(text).toContain('other0');
  });
});

test('If the types take too long to print, the fields of the input are listed', () => {
  const wide = {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`f${index}`, {}])),
  };
  const own = (index: number) => ({ type: 'object', properties: { [`x${index}`]: {} } });
  const many = {
    allOf: Array.from({ length: 60 }, (_, index) => ({ allOf: [{ $ref: '#/$defs/wide' }, own(index)] })),
  };
  const properties = { a: many, b: many };
  expect(signatureOf(tool({ type: 'object', required: ['b'], properties }, true, { wide }))).toMatch(
    /^\(input: \{ b: unknown; a\?: unknown \}\) => Promise<unknown>; \/\/ types are too large to show\. A call/,
  );
});
