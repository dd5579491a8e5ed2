import { printable } from '@executor/protocol';
import { isObject } from '../validation/schema-document.ts';

/** One field as every dialog of an MCP client can show it. */
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

const mostFields = 20;
const mostChoices = 50;
const mostCharacters = 500;
const formats: readonly unknown[] = ['email', 'uri', 'date', 'date-time'] satisfies TextFormat[];

/**
 * What is typed into a dialog passes through the client, and may be read by its model. So a field that wants something secret, by its
 * own word or by its name, is never put into one.
 */
const secretName =
  /pass(word|phrase|code)|secret|token|credential|api[-_ ]?key|private[-_ ]?key|\botp\b|\bpin\b|\bcvv\b/i;

/** A form as a dialog can ask it: flat, short, and with nothing secret in it; undefined where it is not, and a page has to do. */
export function dialogForm(schema: Record<string, unknown>): DialogForm | undefined {
  if (schema.type !== 'object' || !isObject(schema.properties)) return undefined;
  const given = Object.entries(schema.properties);
  if (given.length === 0 || given.length > mostFields) return undefined;
  const properties: DialogForm['properties'] = {};
  for (const [name, property] of given) {
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
  const { type, format, title, description } = property;
  const words = [name, title, description].filter((word) => typeof word === 'string').join(' ');
  if (format === 'password' || property.writeOnly === true || secretName.test(words)) return undefined;
  const texts = { ...textOf('title', title), ...textOf('description', description) };
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
  if (!Array.isArray(choices) || choices.length === 0 || choices.length > mostChoices) return undefined;
  return choices.every(isPlain) ? { type: 'string', ...texts, enum: choices } : undefined;
}

/** What has to come back as it is, and be read meanwhile. */
function isPlain(text: unknown): text is string {
  return typeof text === 'string' && text !== '' && text.length <= mostCharacters && printable(text) === text;
}

function textOf<Name extends string>(name: Name, text: unknown): { [Key in Name]?: string } {
  const plain = typeof text === 'string' ? { [name]: printable(text).slice(0, mostCharacters) } : {};
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
