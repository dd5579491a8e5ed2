import type { JsonSchema } from '@executor/engine';
import { isObject, type JsonObject, listOf, own, textOf } from '../../../document/json.ts';
import type { JsonPointer, Located } from '../../../document/json-pointer.ts';
import type { Conversion } from './conversion.ts';

/**
 * Adds the discriminator value to each alternative, so that a validation error names the right alternative.
 * Alternatives that already name it are unchanged.
 */
export function withDiscriminator(
  branches: JsonSchema[],
  { schema, key, pointer }: { schema: JsonObject; key: string; pointer: JsonPointer },
  { references }: Conversion,
): JsonSchema[] {
  const property = textOf(own(own(schema, 'discriminator'), 'propertyName'));
  if (property === undefined || property === '') return branches;
  const mapping = own(own(schema, 'discriminator'), 'mapping');
  return branches.map((branch, index) => {
    const reference = textOf(own(listOf(schema[key])[index], '$ref'));
    const target = reference === undefined ? undefined : references.find(reference, pointer);
    if (reference === undefined || target === undefined || !isObject(branch)) return branch;
    const values = valuesFor(reference, mapping);
    if (values.length === 0 || declares(target, property, references)) return branch;
    return {
      ...branch,
      properties: Object.fromEntries([[property, { enum: values }]]),
      required: [property],
    };
  });
}

function valuesFor(reference: string, mapping: unknown): string[] {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  if (!isObject(mapping) || Object.keys(mapping).length === 0) return reference.startsWith('#') ? [name] : [];
  return Object.entries(mapping)
    .filter(([, target]) => target === reference || target === name)
    .map(([value]) => value);
}

/** Whether an alternative already restricts the property, or does not have it. */
function declares(
  target: Located,
  property: string,
  references: Conversion['references'],
  depth = 0,
): boolean {
  const declared = own(own(target.value, 'properties'), property);
  if (declared !== undefined) {
    return (
      ['enum', 'const', '$ref', 'default'].some((key) => own(declared, key) !== undefined) ||
      own(declared, 'type') !== 'string'
    );
  }
  const parts = listOf(own(target.value, 'allOf'));
  if (depth >= 4 || parts.length === 0) return true;
  return parts.slice(0, 20).every((part) => {
    const reference = textOf(own(part, '$ref'));
    const next =
      reference === undefined
        ? { value: part, pointer: target.pointer }
        : references.find(reference, target.pointer);
    return next === undefined || declares(next, property, references, depth + 1);
  });
}
