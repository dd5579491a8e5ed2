import type { JsonSchema } from '../ports/source.ts';
import type { Budget } from './budget.ts';
import type { InputLocation } from './location.ts';
import { isSchema, type SchemaDocument, type SchemaObject } from './schema-document.ts';

/**
 * Interprets a JSON Schema (2020-12) to check a value.
 *
 * Schemas are not compiled to code: they are untrusted, compiling takes a millisecond per subschema on the server's thread, and generated
 * code cannot be stopped. The interpreter pays for each step from a budget, and throws `BudgetSpent` when it is used up.
 *
 * A keyword with an invalid argument, or one that is not supported (a `$ref` to another document, a pattern with look-ahead), checks
 * nothing and leaves a note. Formats are annotations and are not checked.
 */
export class SchemaCheck {
  readonly document: SchemaDocument;
  readonly budget: Budget;
  /** The name of the whole value in messages: `input`. */
  readonly subject: string;
  /** For all searches for the word that a caller meant. */
  readonly hints = { pairs: 500_000 };
  readonly #keywords: ReadonlyMap<string, Keyword>;
  readonly #notes = new Set<string>();

  constructor({ document, budget, subject, keywords }: CheckOptions) {
    this.document = document;
    this.budget = budget;
    this.subject = subject;
    this.#keywords = keywords;
  }

  get notes(): string[] {
    return [...this.#notes];
  }

  note(text: string): void {
    if (this.#notes.size < 20) this.#notes.add(text);
  }

  evaluate(schema: JsonSchema, value: unknown, position: Position): Outcome {
    this.budget.spend(1);
    if (schema === true) return passed();
    if (schema === false)
      return { problems: [{ location: position.location, kind: 'other', text: 'is not allowed' }] };
    const seen = this.document.tracksEvaluated ? noneSeen() : undefined;
    const problems: Problem[] = [];
    for (const [argument, keyword] of this.#applicable(schema)) {
      const step = { schema, argument, value, position, check: this, seen };
      for (const problem of keyword(step) ?? []) problems.push(problem);
      if (problems.length >= maxProblems) break;
    }
    return { problems, ...(seen && { seen }) };
  }

  /** The supported keywords of a schema. The `unevaluated…` keywords are last, because they depend on the others. */
  #applicable(schema: SchemaObject): [unknown, Keyword][] {
    const found: [unknown, Keyword][] = [];
    const last: [unknown, Keyword][] = [];
    const names = Object.keys(schema);
    this.budget.spend(names.length / 20);
    for (const name of names) {
      const keyword = this.#keywords.get(name);
      if (keyword) (name.startsWith('unevaluated') ? last : found).push([schema[name], keyword]);
    }
    return last.length > 0 ? [...found, ...last] : found;
  }
}

interface CheckOptions {
  document: SchemaDocument;
  budget: Budget;
  subject: string;
  keywords: ReadonlyMap<string, Keyword>;
}

/** A longer list would not be read. */
const maxProblems = 10;

/** The location of a check in the input, and the schemas that were followed at the same location. */
export interface Position {
  location: InputLocation | undefined;
  via?: Via | undefined;
}

interface Via {
  schema: JsonSchema;
  parent: Via | undefined;
}

export interface Problem {
  location: InputLocation | undefined;
  /** `type` and `value` show which of several alternatives the caller meant. */
  kind: 'type' | 'value' | 'missing' | 'unknown' | 'other';
  /** Follows the name of the location: `must be a string, but is 3`. */
  text: string;
  /** The accepted types, for a `type` problem. */
  types?: string[];
}

export interface Outcome {
  problems: Problem[];
  seen?: Seen;
}

/** The properties and items of a value that keywords have evaluated. */
export interface Seen {
  keys: Set<string>;
  /** The number of evaluated items from the start. */
  items: number;
  /** Single items that `contains` evaluated. */
  indexes: Set<number>;
}

export interface Step {
  schema: SchemaObject;
  argument: unknown;
  value: unknown;
  position: Position;
  check: SchemaCheck;
  seen: Seen | undefined;
}

export type Keyword = (step: Step) => Problem[] | undefined;

function passed(): Outcome {
  return { problems: [] };
}

export function noneSeen(): Seen {
  return { keys: new Set(), items: 0, indexes: new Set() };
}

export function addSeen({ seen, check }: Step, more: Seen | undefined): void {
  if (!seen || !more) return;
  check.budget.spend(more.keys.size + more.indexes.size);
  for (const key of more.keys) seen.keys.add(key);
  for (const index of more.indexes) seen.indexes.add(index);
  seen.items = Math.max(seen.items, more.items);
}

export function problem(
  { position }: Pick<Step, 'position'>,
  text: string,
  kind: Problem['kind'] = 'other',
): Problem[] {
  return [{ location: position.location, kind, text }];
}

/** Evaluates another schema on the same value. */
export function here({ check, value, position }: Step, schema: unknown): Outcome {
  return isSchema(schema) ? check.evaluate(schema, value, position) : passed();
}

/** Evaluates a schema on a part of the value. */
export function below(
  { check, position }: Step,
  schema: unknown,
  part: { key: string | number; value: unknown },
) {
  if (!isSchema(schema)) return [];
  return check.evaluate(schema, part.value, { location: { parent: position.location, key: part.key } })
    .problems;
}

/** The problems of the parts, up to a limit: a list may have a million invalid items. */
export function eachUntilEnough<Part>(parts: Iterable<Part>, check: (part: Part) => Problem[]): Problem[] {
  const problems: Problem[] = [];
  for (const part of parts) {
    problems.push(...check(part));
    if (problems.length >= maxProblems) break;
  }
  return problems;
}
