import type { Reference } from './shape.ts';

const longest = 60;
/** What would mean something else. */
const taken = [
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
];

/** Names of types for definitions, however their document calls them. No two are the same. */
export class TypeNames {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set(taken);

  of({ key, name }: Pick<Reference, 'key' | 'name'>): string {
    const known = this.#names.get(key);
    if (known) return known;
    const wish = typeName(name);
    let free = wish;
    for (let count = 2; this.#taken.has(free); count++) free = `${wish}${count}`;
    this.#taken.add(free);
    this.#names.set(key, free);
    return free;
  }
}

/** `simple-user` is `SimpleUser`. */
function typeName(name: string): string {
  const words = name.slice(0, 200).split(/[^A-Za-z0-9]+/);
  const joined = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');
  const short = joined.slice(0, longest);
  if (short === '') return 'Type';
  return /^\d/.test(short) ? `T${short}` : short;
}
