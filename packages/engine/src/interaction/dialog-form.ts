import { printable } from '@executor/protocol';
import { isObject } from '../validation/schema-document.ts';
import { asksForSecret } from './secret-words.ts';

/** A field that the dialog of every MCP client can show. */
type DialogField = { title?: string; description?: string } & (
  | { type: 'string'; enum?: string[]; minLength?: number; maxLength?: number; format?: TextFormat }
  | { type: 'number' | 'integer'; minimum?: number; maximum?: number }
  | { type: 'boolean' }
);

type TextFormat = 'email' | 'uri' | 'date' | 'date-time';

export interface DialogForm {
  type: 'object';
  properties: Record<string, DialogField>;
  required: string[];
}

const maxFields = 20;
const maxChoices = 50;
const maxCharacters = 500;
const maxDefaultCharacters = 200;
const formats: readonly unknown[] = ['email', 'uri', 'date', 'date-time'] satisfies TextFormat[];

/** Keywords that a form may have. With any other keyword it could ask for or fill in values that no field shows. */
const plainKeywords = [
  '$schema',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'title',
  'description',
];

/** The form for a dialog, if it is flat, short and asks for no secret. Otherwise undefined, and only the page can ask. */
export function dialogForm(schema: Record<string, unknown>, prompt: string): DialogForm | undefined {
  if (schema.type !== 'object' || !isObject(schema.properties)) return undefined;
  if (!Object.keys(schema).every((keyword) => plainKeywords.includes(keyword))) return undefined;
  if (asksForSecret([prompt, schema.title, schema.description])) return undefined;
  const entries = Object.entries(schema.properties);
  if (entries.length === 0 || entries.length > maxFields) return undefined;
  const properties: DialogForm['properties'] = {};
  for (const [name, property] of entries) {
    const field = isPlain(name) && isObject(property) ? fieldOf(name, property) : undefined;
    if (field === undefined) return undefined;
    properties[name] = field;
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  if (!required.every((name) => typeof name === 'string' && Object.hasOwn(properties, name)))
    return undefined;
  return { type: 'object', properties, required };
}

function fieldOf(name: string, property: Record<string, unknown>): DialogField | undefined {
  const { type, format, title } = property;
  if (format === 'password' || property.writeOnly === true) return undefined;
  if (asksForSecret([name, title, property.description])) return undefined;
  if ('$ref' in property || 'allOf' in property) return undefined;
  const description = describeField(property);
  if (description === undefined) return undefined;
  const texts = { ...textOf('title', title), ...(description !== '' && { description }) };
  switch (type) {
    case 'string':
      return textField(property, texts);
    case 'number':
    case 'integer':
      return { type, ...texts, ...numberOf('minimum', property), ...numberOf('maximum', property) };
    case 'boolean':
      return { type, ...texts };
    default:
      return undefined;
  }
}

/**
 * The description with the default in words, because an empty field gets the default, not every client shows it, and some submit it unseen.
 * Undefined if the default cannot be put into words.
 */
function describeField({ description, default: preset }: Record<string, unknown>): string | undefined {
  const { description: text = '' } = textOf('description', description);
  if (preset === undefined) return text;
  const shown = JSON.stringify(preset);
  const isShort = !(isObject(preset) || Array.isArray(preset)) && shown.length <= maxDefaultCharacters;
  if (!isShort || printable(shown) !== shown) return undefined;
  return `${text}${text === '' ? '' : ' '}(Left empty: ${shown})`;
}

function textField(property: Record<string, unknown>, texts: object): DialogField | undefined {
  const { enum: choices, format } = property;
  if ('oneOf' in property || 'anyOf' in property) return undefined;
  if (choices === undefined) {
    return {
      type: 'string',
      ...texts,
      ...numberOf('minLength', property),
      ...numberOf('maxLength', property),
      ...(formats.includes(format) && { format: format as TextFormat }),
    };
  }
  if (!Array.isArray(choices) || choices.length === 0 || choices.length > maxChoices) return undefined;
  return choices.every(isPlain) ? { type: 'string', ...texts, enum: choices } : undefined;
}

/** Whether a text can be shown and returned unchanged. */
function isPlain(text: unknown): text is string {
  return typeof text === 'string' && text !== '' && text.length <= maxCharacters && printable(text) === text;
}

function textOf<Name extends string>(name: Name, text: unknown): { [Key in Name]?: string } {
  const plain = typeof text === 'string' ? { [name]: printable(text).slice(0, maxCharacters) } : {};
  return plain as { [Key in Name]?: string };
}

function numberOf<Name extends string>(
  name: Name,
  property: Record<string, unknown>,
): { [Key in Name]?: number } {
  const value = property[name];
  const number = typeof value === 'number' && Number.isFinite(value) ? { [name]: value } : {};
  return number as { [Key in Name]?: number };
}
