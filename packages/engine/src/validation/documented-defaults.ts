import type { JsonSchema } from '../ports/source.ts';
import { jsonEqual } from './json-equal.ts';
import type { SchemaCheck } from './schema-check.ts';
import { isObject, isSchema, type SchemaObject } from './schema-document.ts';

/** A default that the document declares for a field that is missing in an input. */
export interface DocumentedDefault {
  /** The keys from the input to the field. */
  path: string[];
  value: unknown;
  /** Whether the field certainly belongs there, with this default and no other. */
  isCertain: boolean;
}

/** A schema that may apply to a value, and whether it certainly does. */
interface Candidate {
  schema: unknown;
  isCertain: boolean;
}

const maxDefaults = 200;
const maxDepth = 20;

/**
 * The defaults of missing fields, also in alternatives. `fields` are dotted names that are looked for in objects that are missing
 * themselves: a server may fill in those too.
 */
export function documentedDefaults(
  check: SchemaCheck,
  { schema, input, fields }: { schema: JsonSchema; input: unknown; fields: readonly string[] },
): DocumentedDefault[] {
  return new DefaultSearch(check, fields).search([{ schema, isCertain: true }], input, []);
}

class DefaultSearch {
  readonly #check: SchemaCheck;
  readonly #fields: readonly string[];
  readonly #found: DocumentedDefault[] = [];

  constructor(check: SchemaCheck, fields: readonly string[]) {
    this.#check = check;
    this.#fields = fields;
  }

  search(schemas: Candidate[], value: unknown, path: string[]): DocumentedDefault[] {
    if (!isObject(value) || path.length > maxDepth) return this.#found;
    const parts = this.#parts(schemas, value);
    for (const [key, all] of propertiesOf(parts, value)) {
      if (this.#found.length >= maxDefaults) break;
      if (Object.hasOwn(value, key)) this.search(all, value[key], [...path, key]);
      else this.#missing(all, [...path, key]);
    }
    return this.#found;
  }

  #missing(schemas: Candidate[], path: string[]): void {
    const defaults = distinct(
      this.#parts(schemas, undefined).flatMap(({ schema, isCertain }) => {
        const isDeclared = Object.hasOwn(schema, 'default') && !this.#meansNone(schemas, schema.default);
        return isDeclared ? [{ value: schema.default, isCertain }] : [];
      }),
    );
    for (const { value, isCertain } of defaults)
      this.#found.push({ path, value, isCertain: isCertain && defaults.length === 1 });
    const name = `${path.join('.')}.`;
    if (defaults.length > 0 || !this.#fields.some((field) => field.startsWith(name))) return;
    this.search(
      schemas.map(({ schema }) => ({ schema, isCertain: false })),
      {},
      path,
    );
  }

  /** Many documents declare the default null for a field that cannot be null. */
  #meansNone(schemas: Candidate[], value: unknown): boolean {
    if (value !== null) return false;
    return schemas.some(({ schema }) => isSchema(schema) && !this.#accepts(schema, null));
  }

  /** The schemas and all that apply with them. For a missing value, every alternative may apply. */
  #parts(schemas: Candidate[], value: unknown): { schema: SchemaObject; isCertain: boolean }[] {
    const parts = new Map<SchemaObject, boolean>();
    const open = [...schemas];
    for (const { schema, isCertain } of open) {
      this.#check.budget.spend(1);
      if (!isObject(schema) || parts.get(schema) === true || (parts.has(schema) && !isCertain)) continue;
      parts.set(schema, isCertain);
      if (typeof schema.$ref === 'string')
        open.push({ schema: this.#check.document.resolve(schema.$ref), isCertain });
      for (const one of listOf(schema.allOf)) open.push({ schema: one, isCertain });
      for (const keyword of ['anyOf', 'oneOf'])
        open.push(...this.#alternatives(listOf(schema[keyword]), value, isCertain));
      if (value !== undefined) open.push(...this.#conditional(schema, value, isCertain));
    }
    return [...parts].map(([schema, isCertain]) => ({ schema, isCertain }));
  }

  #alternatives(choices: unknown[], value: unknown, isCertain: boolean): Candidate[] {
    const possible =
      value === undefined ? choices : choices.filter((one) => isSchema(one) && this.#accepts(one, value));
    const isOnly = value === undefined || possible.length === 1;
    return possible.map((schema) => ({ schema, isCertain: isCertain && isOnly }));
  }

  #conditional(schema: SchemaObject, value: unknown, isCertain: boolean): Candidate[] {
    const branch = isSchema(schema.if) ? [this.#accepts(schema.if, value) ? schema.then : schema.else] : [];
    const { dependentSchemas } = schema;
    const dependent =
      isObject(dependentSchemas) && isObject(value)
        ? Object.keys(dependentSchemas)
            .filter((key) => Object.hasOwn(value, key))
            .map((key) => dependentSchemas[key])
        : [];
    return [...branch, ...dependent].map((one) => ({ schema: one, isCertain }));
  }

  #accepts(schema: JsonSchema, value: unknown): boolean {
    return this.#check.evaluate(schema, value, { location: undefined }).problems.length === 0;
  }
}

/** The schemas of each property that is named or present. */
function propertiesOf(
  parts: { schema: SchemaObject; isCertain: boolean }[],
  value: Record<string, unknown>,
): Map<string, Candidate[]> {
  const found = new Map<string, Candidate[]>();
  const add = (key: string, candidate: Candidate) => {
    const others = found.get(key);
    if (others) others.push(candidate);
    else found.set(key, [candidate]);
  };
  for (const { schema, isCertain } of parts) {
    const named = isObject(schema.properties) ? schema.properties : {};
    // A source's own keyword for defaults that are not filled in by themselves.
    const documented = isObject(schema.documentedDefaults) ? schema.documentedDefaults : {};
    for (const key of Object.keys(documented)) add(key, { schema: { default: documented[key] }, isCertain });
    for (const key of Object.keys(named)) add(key, { schema: named[key], isCertain });
    if (!isObject(schema.additionalProperties)) continue;
    for (const key of Object.keys(value))
      if (isObject(value[key]) && !Object.hasOwn(named, key))
        add(key, { schema: schema.additionalProperties, isCertain });
  }
  return found;
}

interface Default {
  value: unknown;
  isCertain: boolean;
}

function distinct(defaults: Default[]): Default[] {
  const found: Default[] = [];
  for (const { value, isCertain } of defaults) {
    const same = found.find((other) => jsonEqual(other.value, value));
    if (same) same.isCertain ||= isCertain;
    else found.push({ value, isCertain });
  }
  return found;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
