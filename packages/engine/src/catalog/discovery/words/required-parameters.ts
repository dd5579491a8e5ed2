import type { JsonSchema } from '../../../ports/source.ts';
import { isObject } from './schema-words.ts';

const maxDescription = 80;
const maxRequired = 12;

/** The first required parameters of a tool. */
export function requiredOf(inputSchema: JsonSchema): { name: string; description: string }[] {
  if (!isObject(inputSchema) || !Array.isArray(inputSchema.required)) return [];
  const { properties } = inputSchema;
  return inputSchema.required
    .filter((name) => typeof name === 'string')
    .slice(0, maxRequired)
    .map((name) => ({
      name,
      description: descriptionOf(isObject(properties) ? properties[name] : undefined),
    }));
}

function descriptionOf(value: unknown): string {
  if (!isObject(value)) return '';
  const { description, items } = value;
  if (typeof description === 'string') return description.slice(0, maxDescription);
  return items === undefined ? '' : descriptionOf(items);
}
