import { findJsonMistake } from '@executor/home';
import { ExecutorError } from '@executor/protocol';

/** One field of a form that is filled in line by line. */
export interface Field {
  name: string;
  title: string;
  type: 'string' | 'number' | 'integer' | 'boolean' | 'choice';
  required: boolean;
  choices?: { value: unknown; label: string }[];
  initial?: unknown;
}

/** The fields of a flat JSON Schema. Undefined for other schemas, whose value has to be typed as JSON. */
export function flatForm(request: unknown): Field[] | undefined {
  const schema = isRecord(request) && isRecord(request.schema) ? request.schema : request;
  if (!isRecord(schema) || !isRecord(schema.properties)) return undefined;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(schema.properties).map(([name, property]) =>
    fieldOf(name, property, required.includes(name)),
  );
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

function fieldOf(name: string, property: unknown, required: boolean): Field | undefined {
  if (!isRecord(property)) return undefined;
  const title = [property.title ?? name, property.description].filter((text) => typeof text === 'string');
  const common = {
    name,
    title: title.join(': '),
    required,
    ...(property.default !== undefined && { initial: property.default }),
  };
  const choices = choicesOf(property);
  if (choices) return { ...common, type: 'choice', choices };
  const { type } = property;
  if (type === 'string' || type === 'number' || type === 'integer' || type === 'boolean')
    return { ...common, type };
  return undefined;
}

function choicesOf(property: Record<string, unknown>): Field['choices'] {
  if (Array.isArray(property.enum)) {
    const names = Array.isArray(property.enumNames) ? property.enumNames : [];
    return property.enum.map((value, index) => ({ value, label: String(names[index] ?? value) }));
  }
  if (!Array.isArray(property.oneOf) || !property.oneOf.every((entry) => isRecord(entry) && 'const' in entry))
    return undefined;
  return property.oneOf.map((entry) => ({ value: entry.const, label: String(entry.title ?? entry.const) }));
}

/** Converts typed text to the value of a field, or returns an error message. */
export function readField(field: Field, typed: string): { value: unknown } | { problem: string } {
  if (typed === '') return field.required ? { problem: 'This field is required.' } : { value: undefined };
  if (field.type !== 'number' && field.type !== 'integer') return { value: typed };
  const number = Number(typed);
  if (typed.trim() === '' || !Number.isFinite(number)) return { problem: 'It must be a number.' };
  if (field.type === 'integer' && !Number.isInteger(number)) return { problem: 'It must be a whole number.' };
  return { value: number };
}

type Json = ReturnType<typeof JSON.parse>;

/** Parses JSON that a user typed. */
export function parseTypedJson(text: string, what: string): Json {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { line, column } = findJsonMistake(text);
    throw new ExecutorError(
      'usage',
      `${what} must be JSON: a text in "quotes", a number, {…}. See line ${line}, column ${column}:\n${excerpt(text, line, column)}`,
      { cause, details: { line, column } },
    );
  }
}

const excerptWidth = 60;

/** The line with the mistake, or the part of it around the mistake, and a caret below. */
function excerpt(text: string, line: number, column: number): string {
  const whole = text.split('\n')[line - 1] ?? '';
  const from = Math.max(0, column - 1 - excerptWidth / 2);
  const shown = whole.slice(from, from + excerptWidth).replace(/\p{Cc}/gu, ' ');
  return `  ${shown}\n  ${' '.repeat(column - 1 - from)}^`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
