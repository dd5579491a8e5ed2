export type JsonObject = Record<string, unknown>;

export function lookUp($ref: string, document: JsonObject): unknown {
  return $ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((value, part) => (value as JsonObject | undefined)?.[unescapePart(part)], document);
}

export function follow(value: unknown, document: JsonObject): unknown {
  let current = value;
  for (let hops = 0; hops < 20; hops++) {
    const $ref = (current as JsonObject | undefined)?.$ref;
    if (typeof $ref !== 'string') return current;
    current = lookUp($ref, document);
  }
  return current;
}

export function unescapePart(part: string): string {
  return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
