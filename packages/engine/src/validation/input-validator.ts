import type { Definitions, JsonSchema, Tool } from '../ports/source.ts';
import { Budget, BudgetSpent } from './budget.ts';
import { type CompletedInput, completeInput } from './complete-input.ts';
import { type DocumentedDefault, documentedDefaults } from './documented-defaults.ts';
import { fillDefaults } from './fill-defaults.ts';
import { copyJson, maxDepth } from './json-copy.ts';
import { arrayKeywords } from './keywords/array.ts';
import { combinationKeywords } from './keywords/combination.ts';
import { objectKeywords } from './keywords/object.ts';
import { scalarKeywords } from './keywords/scalar.ts';
import { valueKeywords } from './keywords/value.ts';
import { locationName } from './location.ts';
import { type Problem, SchemaCheck } from './schema-check.ts';
import { isSchema, SchemaDocument } from './schema-document.ts';

export type CheckedInput =
  /** `input` is a copy with defaults filled in. `notes` list the parts of the schema that could not be checked. */
  { type: 'valid'; input: unknown; notes?: string[] } | InvalidInput;

export interface InvalidInput {
  type: 'invalid';
  message: string;
  details: { problems: { field: string; problem: string }[] };
}

/** About 50 ms, in which the server does nothing else. An ordinary call takes some dozens of steps. */
const maxSteps = 250_000;

const keywords = new Map(
  [valueKeywords, scalarKeywords, arrayKeywords, objectKeywords, combinationKeywords].flatMap((group) =>
    Object.entries(group),
  ),
);

/**
 * Checks the input of a call before a reviewer is asked. It never throws or hangs, whatever the schema and the input. Invalid parts of a
 * schema are ignored with a note, and an input that takes too long to check is rejected.
 */
export class InputValidator {
  /** Keyed by the schema object, because tools of two workspaces can have equal paths and versions but different schemas. */
  readonly #documents = new WeakMap<object, SchemaDocument>();

  /** `subject` is the name of the input in messages. */
  check(
    tool: Pick<Tool, 'path' | 'version' | 'inputSchema' | 'definitions'>,
    input: unknown,
    subject = 'input',
  ): CheckedInput {
    const tooLong = 'takes too long to be checked against the schema of this tool; make it smaller';
    return unlessTooLong(() => this.#checkWithin(tool, input, subject)) ?? refused(subject, tooLong);
  }

  /** Adds the documented defaults of `fields` to a checked input. Undefined if that takes too long. */
  complete(
    { inputSchema: schema, definitions }: Pick<Tool, 'inputSchema' | 'definitions'>,
    input: unknown,
    fields: readonly string[],
  ): CompletedInput | undefined {
    if (!isSchema(schema)) return { input, alternatives: [] };
    const check = this.#newCheck(schema, definitions, 'input');
    return unlessTooLong(() => completeInput(check, { schema, input, fields }));
  }

  /** The documented defaults of fields that a checked input omits, up to a limit. */
  omitted(
    { inputSchema: schema, definitions }: Pick<Tool, 'inputSchema' | 'definitions'>,
    input: unknown,
    limit: number,
  ): DocumentedDefault[] {
    if (!isSchema(schema)) return [];
    const check = this.#newCheck(schema, definitions, 'input');
    const area = { whole: true, fields: [] };
    return unlessTooLong(() => documentedDefaults(check, { schema, input, area, limit })) ?? [];
  }

  #checkWithin(
    { inputSchema: schema, definitions }: Pick<Tool, 'inputSchema' | 'definitions'>,
    original: unknown,
    subject: string,
  ): CheckedInput {
    const check = this.#newCheck(isSchema(schema) ? schema : true, definitions, subject);
    const copied = copyJson(original, check.budget);
    if (copied === undefined) return refused(subject, `is nested deeper than ${maxDepth} levels`);
    const input = copied.value;
    if (!isSchema(schema))
      return { type: 'valid', input, notes: ['The schema is no JSON Schema, so nothing was checked.'] };
    fillDefaults(check, schema, input);
    const { problems } = check.evaluate(schema, input, { location: undefined });
    if (problems.length > 0) return invalid(subject, problems);
    return { type: 'valid', input, ...(check.notes.length > 0 && { notes: check.notes }) };
  }

  #newCheck(schema: JsonSchema, definitions: Definitions | undefined, subject: string): SchemaCheck {
    const document = this.#documentOf(schema, definitions);
    return new SchemaCheck({ document, budget: new Budget(maxSteps), subject, keywords });
  }

  #documentOf(schema: JsonSchema, definitions: Definitions | undefined): SchemaDocument {
    if (typeof schema === 'boolean') return new SchemaDocument(schema);
    const known = this.#documents.get(schema);
    if (known) return known;
    const document = new SchemaDocument(schema, definitions);
    this.#documents.set(schema, document);
    return document;
  }
}

/** Undefined if the budget is spent. A stack overflow has the same cause: a schema or an input that cannot be checked in reasonable time. */
function unlessTooLong<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof BudgetSpent || error instanceof RangeError) return undefined;
    throw error;
  }
}

function refused(subject: string, text: string): CheckedInput {
  return invalid(subject, [{ location: undefined, kind: 'other', text }]);
}

function invalid(subject: string, problems: Problem[]): CheckedInput {
  const sentences = new Map(
    problems.map(({ location, text }) => [
      `${locationName(location, subject)} ${text}`,
      { field: locationName(location, subject), problem: text },
    ]),
  );
  return {
    type: 'invalid',
    message: [...sentences.keys()].join('; '),
    details: { problems: [...sentences.values()] },
  };
}
