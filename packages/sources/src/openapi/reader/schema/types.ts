/** JSON Schema types by the names that documents use for them. `undefined` means any type. */
const typesByName = new Map<string, string | undefined>([
  ...['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'].map(
    (type) => [type, type] as const,
  ),
  ...['int', 'int32', 'int64', 'long', 'short', 'bigint'].map((type) => [type, 'integer'] as const),
  ...['float', 'double', 'decimal', 'numeric'].map((type) => [type, 'number'] as const),
  ...[
    'str',
    'text',
    'date',
    'datetime',
    'date-time',
    'time',
    'timestamp',
    'uuid',
    'guid',
    'uri',
    'url',
    'email',
    'password',
  ].map((type) => [type, 'string'] as const),
  ...['byte', 'binary', 'file', 'char', 'enum'].map((type) => [type, 'string'] as const),
  ...['bool'].map((type) => [type, 'boolean'] as const),
  ...['map', 'hash', 'dict', 'dictionary', 'json'].map((type) => [type, 'object'] as const),
  ...['list', 'set', 'collection'].map((type) => [type, 'array'] as const),
  ...['any', 'mixed', '*', ''].map((type) => [type, undefined] as const),
]);

const jsonTypes = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

export interface ReadType {
  /** Undefined means any type. */
  types: string[] | undefined;
  /** Names that are not JSON Schema types. */
  unknown: string[];
}

export function readType(value: unknown): ReadType {
  const all = Array.isArray(value) ? value : [value];
  const types = new Set<string>();
  const unknown: string[] = [];
  let any = all.length === 0;
  for (const one of all) {
    const name = one === null ? 'null' : one;
    if (typeof name === 'string' && jsonTypes.has(name)) {
      types.add(name);
      continue;
    }
    unknown.push(typeof name === 'string' ? name : JSON.stringify(name)?.slice(0, 50));
    const type = typeof name === 'string' ? typesByName.get(name.toLowerCase()) : undefined;
    if (type === undefined) any = true;
    else types.add(type);
  }
  return { types: any ? undefined : [...types], unknown };
}

/** Whether a value has one of these types. */
export function isOfType(value: unknown, types: string[]): boolean {
  return types.some(
    (type) => type === typeName(value) || (type === 'number' && typeName(value) === 'integer'),
  );
}

/** Converts a value to one of these types: `"10"` to a number, or a number to text. */
export function asType(value: unknown, types: string[]): unknown {
  if (isOfType(value, types)) return value;
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean'))
    return String(value);
  if (typeof value !== 'string') return undefined;
  if (types.includes('boolean') && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  const number = toNumber(value);
  return number !== undefined && isOfType(number, types) ? number : undefined;
}

export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\s*[-+]?[\d.]+(e[-+]?\d+)?\s*$/i.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}
