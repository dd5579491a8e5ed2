import type { JsonPointer } from '../../../document/json-pointer.ts';

const maxChars = 100;
/** Keys that name a kind of element and not the element itself. */
const kinds = new Set([
  ...['components', 'schemas', 'definitions', '$defs', 'properties', 'paths', 'content', 'schema', 'items'],
  ...['responses', 'parameters', 'requestBody', 'requestBodies'],
]);

/** Unique names for definitions: component names, and names made from the JSON pointer for all others. */
export class DefinitionNames {
  readonly #taken = new Set<string>();

  add(pointer: JsonPointer): string {
    return this.addNamed(nameOf(pointer));
  }

  addNamed(preferred: string): string {
    let name = preferred;
    for (let count = 2; this.#taken.has(name); count++) name = `${preferred}_${count}`;
    this.#taken.add(name);
    return name;
  }
}

function nameOf(pointer: JsonPointer): string {
  const { keys, document } = pointer;
  const named = isComponent(keys) ? keys.slice(-1) : keys.filter((key) => !kinds.has(key));
  const file =
    document.main || document.url === undefined || isComponent(keys) ? [] : [fileName(document.url)];
  const name = [...file, ...named]
    .map((key) =>
      key
        .slice(-maxChars)
        .replace(/[^\w.-]+/g, '_')
        .replace(/^_+(?=.)|_+$/g, ''),
    )
    .filter((key) => key !== '')
    .join('_');
  return name.slice(-maxChars).replace(/^_+(?=.)/, '') || 'Schema';
}

function isComponent(keys: string[]): boolean {
  if (keys.length === 2) return keys[0] === 'definitions' || keys[0] === '$defs';
  return keys.length === 3 && keys[0] === 'components' && keys[1] === 'schemas';
}

function fileName(url: string): string {
  return /([^/]+?)(\.\w+)?$/.exec(url.replace(/[?#].*$/s, '').slice(-maxChars))?.[1] ?? '';
}
