import type { Reference } from './shape.ts';

const maxNameChars = 60;
/** Names with a meaning in TypeScript. */
const reserved = new Set([
  ...[
    'Promise',
    'Array',
    'Record',
    'Object',
    'String',
    'Number',
    'Boolean',
    'Function',
    'Symbol',
    'Date',
    'Error',
  ],
  ...[
    'Partial',
    'Required',
    'Readonly',
    'Pick',
    'Omit',
    'Exclude',
    'Extract',
    'Map',
    'Set',
    'URL',
    'Awaited',
  ],
]);

/** Gives each definition a unique, valid name, whatever its name in the document is. */
export class TypeNames {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();
  /** The last number that was tried for each name, because a document may have thousands of equal names. */
  readonly #numbers = new Map<string, number>();

  of({ key, name }: Pick<Reference, 'key' | 'name'>): string {
    const known = this.#names.get(key);
    if (known) return known;
    const base = typeName(name);
    let free = base;
    let number = this.#numbers.get(base) ?? 1;
    for (; reserved.has(free) || this.#taken.has(free); free = `${base}${number}`) number += 1;
    this.#numbers.set(base, number);
    this.#taken.add(free);
    this.#names.set(key, free);
    return free;
  }
}

/** `simple-user` becomes `SimpleUser`. */
function typeName(name: string): string {
  const words = name.slice(0, 200).split(/[^A-Za-z0-9]+/);
  const joined = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');
  const short = joined.slice(0, maxNameChars);
  if (short === '') return 'Type';
  return /^\d/.test(short) ? `T${short}` : short;
}
