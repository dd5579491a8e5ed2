import type { InteractionKind } from '@executor/protocol';

/** One field of a form. Values without a field type of their own are typed as JSON. */
export interface FormField {
  name: string;
  label: string;
  hint?: string;
  type: 'text' | 'lines' | 'password' | 'number' | 'boolean' | 'choice' | 'json';
  required: boolean;
  choices?: { value: unknown; label: string }[];
  initial: string;
}

type Schema = Record<string, unknown>;

/** The fields of a JSON Schema. Undefined if it is not an object schema; the whole answer is typed as JSON then. */
export function formFields(request: unknown, kind: InteractionKind): FormField[] | undefined {
  const schema = isRecord(request) && isRecord(request.schema) ? request.schema : request;
  if (!isRecord(schema) || !isRecord(schema.properties)) return undefined;
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).map(([name, property]) =>
    fieldOf(name, isRecord(property) ? property : {}, { required: required.includes(name), kind }),
  );
}

function fieldOf(
  name: string,
  property: Schema,
  { required, kind }: { required: boolean; kind: InteractionKind },
): FormField {
  const choices = choicesOf(property);
  const type = choices ? 'choice' : typeOf(property, kind);
  return {
    name,
    label: typeof property.title === 'string' && property.title !== '' ? property.title : name,
    ...(typeof property.description === 'string' && { hint: property.description }),
    type,
    required,
    ...(choices && { choices }),
    initial: initialOf(property.default, type, choices),
  };
}

function typeOf(property: Schema, kind: InteractionKind): FormField['type'] {
  const { type, format, writeOnly, maxLength } = property;
  if (type === 'boolean') return 'boolean';
  if (type === 'number' || type === 'integer') return 'number';
  if (type !== 'string') return 'json';
  // The fields of a credential are secret, unless a format says that a field is only an address or a name.
  if (format === 'password' || writeOnly === true || (kind === 'credential' && format === undefined))
    return 'password';
  const isLong = typeof maxLength === 'number' && maxLength > 200;
  return isLong || format === 'textarea' || format === 'multiline' || 'contentMediaType' in property
    ? 'lines'
    : 'text';
}

function choicesOf(property: Schema): FormField['choices'] {
  if (Array.isArray(property.enum)) {
    const names = Array.isArray(property.enumNames) ? property.enumNames : [];
    return property.enum.map((value, index) => ({ value, label: labelOf(names[index] ?? value) }));
  }
  const { oneOf } = property;
  if (!Array.isArray(oneOf) || !oneOf.every((entry) => isRecord(entry) && 'const' in entry)) return undefined;
  return oneOf.map((entry) => ({ value: entry.const, label: labelOf(entry.title ?? entry.const) }));
}

function labelOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A choice is identified by its index, because its value can be of any type. */
function initialOf(value: unknown, type: FormField['type'], choices: FormField['choices']): string {
  if (choices) {
    const index = choices.findIndex((choice) => JSON.stringify(choice.value) === JSON.stringify(value));
    return value === undefined || index === -1 ? '' : String(index);
  }
  if (type === 'boolean') return value === true ? 'true' : 'false';
  if (value === undefined || type === 'password') return '';
  return typeof value === 'string' && type !== 'json' ? value : JSON.stringify(value);
}

export type ReadForm =
  | { type: 'read'; data: Record<string, unknown> }
  | { type: 'problems'; problems: Record<string, string> };

/** Reads the typed texts as the data of the form. Empty fields are left out. */
export function readForm(fields: FormField[], typed: Record<string, string>): ReadForm {
  const data: [string, unknown][] = [];
  const problems: [string, string][] = [];
  for (const field of fields) {
    const text = typed[field.name] ?? field.initial;
    const read = readField(field, text);
    if ('problem' in read) problems.push([field.name, read.problem]);
    else if (read.value !== undefined) data.push([field.name, read.value]);
  }
  // Built from entries, so that a field named __proto__ is an ordinary field.
  return problems.length > 0
    ? { type: 'problems', problems: Object.fromEntries(problems) }
    : { type: 'read', data: Object.fromEntries(data) };
}

function readField(field: FormField, text: string): { value: unknown } | { problem: string } {
  if (field.type === 'boolean') return { value: text === 'true' };
  if (text === '') return field.required ? { problem: 'This field is required.' } : { value: undefined };
  switch (field.type) {
    case 'choice':
      return { value: field.choices?.[Number(text)]?.value };
    case 'number':
      return Number.isFinite(Number(text)) ? { value: Number(text) } : { problem: 'Enter a number.' };
    case 'json':
      return readJson(text);
    default:
      return { value: text };
  }
}

export function readJson(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: 'Enter JSON: a text in "quotes", a number, {…}, […] or null.' };
  }
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
