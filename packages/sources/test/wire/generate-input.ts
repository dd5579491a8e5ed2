import type { Definitions, JsonSchema, Tool } from '@executor/engine';
import { samplePattern } from './sample-pattern.ts';

type Schema = Record<string, unknown>;

export interface GenerateOptions {
  /** Only the required fields, or all fields. */
  size: 'minimal' | 'maximal';
  /** Index of the chosen alternative, from the first for a minimal input and from the last for a maximal one. */
  choice: number;
}

/** A value that should match the input schema of a tool. */
export function generateInput(
  tool: Pick<Tool, 'inputSchema' | 'definitions'>,
  options: GenerateOptions,
): unknown {
  const generator = new Generator(
    tool.definitions,
    (tool.inputSchema as { $defs?: Record<string, JsonSchema> }).$defs,
    options,
  );
  return generator.value(tool.inputSchema, 0, 0);
}

const maxDepth = 6;
/** A schema that requires itself has no finite value. */
const maxRequiredDepth = 30;
const maxValues = 3000;
/** Valid strings by format. */
const samples: Record<string, string> = {
  'date-time': '2026-01-02T03:04:05Z',
  date: '2026-01-02',
  time: '03:04:05Z',
  duration: 'P1D',
  email: 'someone@example.com',
  'idn-email': 'someone@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/a?b=c&d=e',
  url: 'https://example.com/a',
  'uri-reference': '/a/b',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  byte: 'YWJj',
  regex: 'a.c',
  'json-pointer': '/a',
};

class Generator {
  #values = 0;
  readonly #definitions: Definitions | undefined;
  readonly #own: Record<string, JsonSchema> | undefined;
  readonly #options: GenerateOptions;

  constructor(
    definitions: Definitions | undefined,
    own: Record<string, JsonSchema> | undefined,
    options: GenerateOptions,
  ) {
    this.#definitions = definitions;
    this.#own = own;
    this.#options = options;
  }

  value(declared: JsonSchema | undefined, depth: number, variant: number): unknown {
    if (depth > maxRequiredDepth) return {};
    const schema = this.#flatten(declared, depth);
    this.#values++;
    if (isFile(schema))
      return this.#maximal
        ? { base64: 'AAECAw==', name: 'a.bin', mediaType: 'application/octet-stream' }
        : 'the text of a file';
    if ('const' in schema) return schema.const;
    if (Array.isArray(schema.enum) && schema.enum.length > 0) return this.#member(schema.enum, variant);
    switch (this.#typeOf(schema)) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return this.#array(schema, depth);
      case 'integer':
        return number(schema, 1, variant);
      case 'number':
        return number(schema, 0.5, variant);
      case 'boolean':
        return this.#maximal;
      case 'null':
        return null;
      default:
        return this.#string(schema, variant);
    }
  }

  get #maximal(): boolean {
    return this.#options.size === 'maximal';
  }

  /** Follows references, merges `allOf` and chooses one alternative. */
  #flatten(declared: JsonSchema | undefined, depth: number, hops = 0): Schema {
    if (typeof declared !== 'object' || declared === null || hops > 40) return {};
    const { $ref, allOf, oneOf, anyOf, ...others } = declared;
    let schema: Schema = others;
    if (typeof $ref === 'string')
      schema = merge(this.#flatten(this.#definition($ref), depth, hops + 1), schema);
    for (const part of listOf(allOf)) schema = merge(schema, this.#flatten(part, depth, hops + 1));
    if (isFile(declared)) return { ...schema, anyOf };
    for (const list of [oneOf, anyOf]) {
      const branches = listOf(list)
        .map((branch) => this.#flatten(branch, depth, hops + 1))
        .filter((branch) => branch.type !== 'null' && branch.const !== null && !isEmptyText(branch));
      if (branches.length === 0) continue;
      // In a path or a query, a number is also a valid string, so strings are unambiguous.
      const texts = branches.filter((branch) => branch.type === 'string');
      const picked = this.#pick(depth === 1 && texts.length > 0 ? texts : branches, this.#options.choice);
      schema = merge(schema, picked);
      if (this.#options.choice >= 4) schema = excludeOthers(schema, branches, picked);
    }
    return schema;
  }

  #pick<T>(list: T[], offset: number): T {
    const at = offset % list.length;
    return list[this.#maximal ? list.length - 1 - at : at] as T;
  }

  #member(list: unknown[], variant: number): unknown {
    const sendable = list.filter((item) => item !== null && item !== '');
    return sendable.length === 0 ? list[0] : this.#pick(sendable, variant + this.#options.choice);
  }

  #definition($ref: string): JsonSchema | undefined {
    const name = $ref
      .replace(/^#\/\$defs\//, '')
      .replaceAll('~1', '/')
      .replaceAll('~0', '~');
    return this.#own?.[name] ?? this.#definitions?.get(name);
  }

  #typeOf(schema: Schema): string | undefined {
    const types = Array.isArray(schema.type) ? schema.type.filter((type) => type !== 'null') : [schema.type];
    const type = this.#options.size === 'maximal' ? types.at(-1) : types[0];
    if (typeof type === 'string') return type;
    if (schema.properties || schema.required || schema.additionalProperties) return 'object';
    if (schema.items) return 'array';
    return schema.minimum !== undefined || schema.maximum !== undefined ? 'integer' : undefined;
  }

  #object(schema: Schema, depth: number): unknown {
    const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
    const required = new Set(listOf(schema.required) as unknown as string[]);
    const room = depth < maxDepth && this.#values < maxValues;
    const wanted = Object.keys(properties).filter(
      (name) => required.has(name) || (this.#maximal && room && properties[name] !== false),
    );
    for (const name of [...wanted]) {
      const needs = (schema.dependentRequired as Record<string, string[]> | undefined)?.[name] ?? [];
      wanted.push(...needs.filter((need) => !wanted.includes(need)));
    }
    for (const name of required) if (!wanted.includes(name)) wanted.push(name);
    const min = Number(schema.minProperties ?? 0);
    for (const name of Object.keys(properties))
      if (wanted.length < min && !wanted.includes(name)) wanted.push(name);
    // In a path or a query, an empty object is not sent.
    const [first] = Object.keys(properties);
    if (depth === 1 && wanted.length === 0 && first !== undefined) wanted.push(first);
    const max = Number(schema.maxProperties ?? Number.POSITIVE_INFINITY);
    const entries = wanted
      .slice(0, Math.max(max, required.size))
      .map((name): [string, unknown] => [name, this.value(properties[name], depth + 1, 0)]);
    const { additionalProperties: more } = schema;
    if (
      more !== undefined &&
      more !== false &&
      (entries.length < min || (this.#maximal && room && depth > 0 && entries.length === 0 && max > 0))
    )
      for (let index = 0; index < Math.max(1, min); index++)
        entries.push([`key${index}`, this.value(more as JsonSchema, depth + 1, index)]);
    return Object.fromEntries(entries);
  }

  #array(schema: Schema, depth: number): unknown {
    const max = Number(schema.maxItems ?? Number.POSITIVE_INFINITY);
    // In a query, an empty list is not sent, so a list has at least one item.
    const min = Math.max(depth < maxDepth ? 1 : 0, Number(schema.minItems ?? 0));
    const count = Math.min(max, this.#maximal && depth < maxDepth ? Math.max(min, 2) : min);
    const prefix = listOf(schema.prefixItems);
    const items = Array.from({ length: Math.min(count, 50) }, (_, index) =>
      this.value(prefix[index] ?? (schema.items as JsonSchema | undefined), depth + 1, index),
    );
    return schema.uniqueItems
      ? [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
      : items;
  }

  #string(schema: Schema, variant: number): string {
    const { format, pattern } = schema;
    const min = Number(schema.minLength ?? 0);
    const max = Number(schema.maxLength ?? Number.POSITIVE_INFINITY);
    if (typeof pattern === 'string') {
      for (const length of [min, 1, 2, 3, 5, 8]) {
        const sample = samplePattern(pattern, length);
        if (sample !== undefined && sample.length >= min && sample.length <= max) return sample;
      }
      const examples = [schema.default, schema.example, ...listOf(schema.examples as never)];
      const example = examples.find((one) => typeof one === 'string');
      if (example !== undefined) return String(example);
    }
    if (format === 'uuid' && variant > 0) return (samples.uuid ?? '').replace(/0$/, String(variant % 10));
    const sampleOfFormat = typeof format === 'string' ? samples[format] : undefined;
    if (sampleOfFormat !== undefined && sampleOfFormat.length <= max && sampleOfFormat.length >= min)
      return sampleOfFormat;
    // Maximal inputs contain characters that must be encoded.
    const text = this.#maximal ? `a b/c&d=é${variant || ''}` : `text${variant || ''}`;
    return text.padEnd(min, 'x').slice(0, max);
  }
}

function number(schema: Schema, step: number, variant: number): number {
  const min = bound(schema.minimum, schema.exclusiveMinimum, Math.max, step);
  const max = bound(schema.maximum, schema.exclusiveMaximum, Math.min, -step);
  const multiple =
    typeof schema.multipleOf === 'number' && schema.multipleOf > 0 ? schema.multipleOf : undefined;
  const start = min ?? (max !== undefined && max < 1 ? max : 1);
  const value = multiple === undefined ? start + variant : Math.ceil(start / multiple) * multiple;
  return max !== undefined && value > max ? max : value;
}

function bound(
  inclusive: unknown,
  exclusive: unknown,
  tighter: (a: number, b: number) => number,
  step: number,
): number | undefined {
  const found = [
    ...(typeof inclusive === 'number' ? [inclusive] : []),
    ...(typeof exclusive === 'number' ? [exclusive + step] : []),
  ];
  return found.length === 0 ? undefined : found.reduce(tighter);
}

function merge(one: Schema, other: Schema): Schema {
  const merged: Schema = { ...one, ...other };
  if (one.properties || other.properties) {
    const properties: Record<string, unknown> = { ...(one.properties as object) };
    for (const [name, schema] of Object.entries((other.properties ?? {}) as Schema))
      properties[name] = Object.hasOwn(properties, name) ? { allOf: [properties[name], schema] } : schema;
    merged.properties = properties;
  }
  if (one.required || other.required) merged.required = [...listOf(one.required), ...listOf(other.required)];
  if (Array.isArray(one.enum) && Array.isArray(other.enum)) {
    const both = one.enum.filter((item) => (other.enum as unknown[]).includes(item));
    merged.enum = both.length > 0 ? both : one.enum;
  }
  if (one.items && other.items) merged.items = { allOf: [one.items, other.items] };
  if (one.type !== undefined && other.type !== undefined) merged.type = commonType(one.type, other.type);
  return merged;
}

/** Makes a value of one alternative invalid for the others: it gets their other properties with a value of the wrong type. */
function excludeOthers(schema: Schema, branches: Schema[], picked: Schema): Schema {
  const properties: Record<string, unknown> = { ...(schema.properties as object) };
  const required = [...listOf(schema.required)] as unknown as string[];
  for (const branch of branches) {
    if (branch === picked || schema.additionalProperties === false) continue;
    const foreign = Object.entries((branch.properties ?? {}) as Record<string, Schema>).find(
      ([name]) => !Object.hasOwn(properties, name),
    );
    if (foreign === undefined) continue;
    properties[foreign[0]] = { const: foreign[1].type === 'object' ? 'apart' : { apart: true } };
    required.push(foreign[0]);
  }
  return { ...schema, properties, required };
}

function commonType(one: unknown, other: unknown): unknown {
  const [ones, others] = [one, other].map((type) => (Array.isArray(type) ? type : [type]));
  const both = ones?.filter((type) => others?.includes(type)) ?? [];
  return both.length === 1 ? both[0] : both.length > 1 ? both : one;
}

/** Whether an alternative only allows the empty string, with which some APIs clear a value. It cannot be sent everywhere. */
function isEmptyText(schema: Schema): boolean {
  return JSON.stringify(schema.enum) === '[""]';
}

function isFile(schema: Schema): boolean {
  return listOf(schema.anyOf).some(
    (branch) => JSON.stringify((branch as Schema)?.required) === '["artifact"]',
  );
}

function listOf(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value : [];
}
