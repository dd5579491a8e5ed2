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

interface Part extends Candidate {
  schema: SchemaObject;
}

/** An object of the input, and the same as the other system receives it if null and empty values are not sent. */
interface Versions {
  value: Record<string, unknown>;
  sent: Record<string, unknown>;
}

/** The part of an input in which defaults are searched. */
interface SearchArea {
  /** Whether all of it is searched. */
  whole: boolean;
  /** Dotted names of fields. They are looked for in objects that are missing themselves too: a server may fill in those. */
  fields: readonly string[];
}

interface Search {
  schema: JsonSchema;
  input: unknown;
  /** The input without the values that may not be sent. Their fields count as missing, but not certainly. */
  sent?: unknown;
  area: SearchArea;
  /** The search ends after this many. */
  limit: number;
}

/** The defaults of missing fields, also in alternatives. A default is listed after the defaults of the objects around it. */
export function documentedDefaults(
  check: SchemaCheck,
  { schema, input, sent = input, area, limit }: Search,
): DocumentedDefault[] {
  const search = new DefaultSearch(check, limit);
  if (isObject(input))
    search.search([{ schema, isCertain: true }], { value: input, sent: objectOf(sent) }, { path: [], area });
  return search.found;
}

interface Position {
  path: string[];
  area: SearchArea;
}

class DefaultSearch {
  readonly found: DocumentedDefault[] = [];
  readonly #check: SchemaCheck;
  readonly #limit: number;

  constructor(check: SchemaCheck, limit: number) {
    this.#check = check;
    this.#limit = limit;
  }

  search(schemas: Candidate[], { value, sent }: Versions, { path, area }: Position): void {
    const parts = this.#parts(schemas, { value, sent });
    for (const [key, all] of this.#propertiesOf(parts, value)) {
      if (this.found.length >= this.#limit) return;
      this.#check.budget.spend(1 + (path.length + area.fields.length) / 10);
      const inner = areaOf(key, area);
      if (inner === undefined) continue;
      const position = { path: [...path, key], area: inner };
      const isPresent = Object.hasOwn(value, key);
      const part = isPresent ? value[key] : undefined;
      if (isObject(part)) this.search(all, { value: part, sent: objectOf(ownValue(sent, key)) }, position);
      if (!isPresent) this.#missing(all, position);
      else if (!Object.hasOwn(sent, key)) this.#missing(all.map(possible), position);
    }
  }

  #missing(schemas: Candidate[], { path, area }: Position): void {
    const defaults = this.#declared(schemas);
    for (const { value, isCertain } of defaults)
      this.found.push({ path, value, isCertain: isCertain && defaults.length === 1 });
    if (area.fields.length === 0) return;
    const inside = { path, area: { ...area, whole: false } };
    for (const value of defaults.length > 0 ? defaults.map((one) => one.value) : [{}])
      if (isObject(value)) this.search(schemas.map(possible), { value, sent: value }, inside);
  }

  #declared(schemas: Candidate[]): Default[] {
    const found: Default[] = [];
    for (const { schema, isCertain } of this.#parts(schemas)) {
      if (!Object.hasOwn(schema, 'default') || this.#meansNone(schemas, schema.default)) continue;
      const same = found.find(({ value }) =>
        jsonEqual(value, schema.default, () => this.#check.budget.spend(1)),
      );
      if (same) same.isCertain ||= isCertain;
      else found.push({ value: schema.default, isCertain });
    }
    return found;
  }

  /** Many documents declare the default null for a field that cannot be null. */
  #meansNone(schemas: Candidate[], value: unknown): boolean {
    if (value !== null) return false;
    return schemas.some(({ schema }) => isSchema(schema) && !this.#accepts(schema, null));
  }

  /** The schemas and all that apply with them. For a missing value, every alternative may apply. */
  #parts(schemas: Candidate[], versions?: Versions): Part[] {
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
        open.push(...this.#alternatives(listOf(schema[keyword]), versions, isCertain));
      if (versions) open.push(...this.#conditional(schema, versions, isCertain));
    }
    return [...parts].map(([schema, isCertain]) => ({ schema, isCertain }));
  }

  #alternatives(choices: unknown[], versions: Versions | undefined, isCertain: boolean): Candidate[] {
    const fitting = versions
      ? choices.filter((one) => isSchema(one) && this.#results(one, versions).includes(true))
      : choices;
    const isOnly = versions === undefined || fitting.length === 1;
    return fitting.map((schema) => ({ schema, isCertain: isCertain && isOnly }));
  }

  #conditional(schema: SchemaObject, versions: Versions, isCertain: boolean): Candidate[] {
    const results = isSchema(schema.if) ? this.#results(schema.if, versions) : [];
    const branches = results.map((holds) => ({
      schema: holds ? schema.then : schema.else,
      isCertain: isCertain && results.length === 1,
    }));
    const { dependentSchemas } = schema;
    if (!isObject(dependentSchemas)) return branches;
    const dependent = Object.keys(dependentSchemas)
      .filter((key) => Object.hasOwn(versions.value, key))
      .map((key) => ({
        schema: dependentSchemas[key],
        isCertain: isCertain && Object.hasOwn(versions.sent, key),
      }));
    return [...branches, ...dependent];
  }

  /** Whether a schema accepts an object: one result, or both if that depends on values that may not be sent. */
  #results(schema: JsonSchema, { value, sent }: Versions): boolean[] {
    const results = [value, ...(sent === value ? [] : [sent])].map((one) => this.#accepts(schema, one));
    return [...new Set(results)];
  }

  #accepts(schema: JsonSchema, value: unknown): boolean {
    return this.#check.evaluate(schema, value, { location: undefined }).problems.length === 0;
  }

  /** The schemas of each property that is named or present. */
  #propertiesOf(parts: Part[], value: Record<string, unknown>): Map<string, Candidate[]> {
    const found = new Map<string, Candidate[]>();
    const add = (key: string, candidate: Candidate) => {
      this.#check.budget.spend(1);
      const others = found.get(key);
      if (others) others.push(candidate);
      else found.set(key, [candidate]);
    };
    for (const { schema, isCertain } of parts) {
      const named = objectOf(schema.properties);
      // A source's own keyword for defaults that are not filled in by themselves.
      const documented = objectOf(schema.documentedDefaults);
      for (const key of Object.keys(documented))
        add(key, { schema: { default: documented[key] }, isCertain });
      for (const key of Object.keys(named)) add(key, { schema: named[key], isCertain });
      if (!isObject(schema.additionalProperties)) continue;
      for (const key of Object.keys(value))
        if (!Object.hasOwn(named, key)) add(key, { schema: schema.additionalProperties, isCertain });
    }
    return found;
  }
}

interface Default {
  value: unknown;
  isCertain: boolean;
}

/** The part of the area at a key; undefined if it is outside. A dot in a field may be part of a key. */
function areaOf(key: string, { whole, fields }: SearchArea): SearchArea | undefined {
  const isField = whole || fields.includes(key);
  const inside = fields.flatMap((field) =>
    field[key.length] === '.' && field.startsWith(key) ? [field.slice(key.length + 1)] : [],
  );
  return isField || inside.length > 0 ? { whole: isField, fields: inside } : undefined;
}

function possible({ schema }: Candidate): Candidate {
  return { schema, isCertain: false };
}

function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

function ownValue(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
