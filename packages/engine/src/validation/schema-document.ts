import type { Definitions, JsonSchema } from '../ports/source.ts';

export type SchemaObject = Record<string, unknown>;

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'boolean' || isObject(value);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Larger documents are not searched for anchors. */
const maxNodes = 500_000;

/** A whole schema. References are resolved within it and then in the shared definitions, and nowhere else. */
export class SchemaDocument {
  readonly root: JsonSchema;
  /** Whether any part of it depends on what other keywords have evaluated. */
  readonly tracksEvaluated: boolean;
  readonly #anchors = new Map<string, JsonSchema>();
  readonly #found = new Map<string, JsonSchema | undefined>();
  readonly #parts = new WeakMap<object, SchemaObject[]>();
  readonly #defaults = new WeakMap<object, string[]>();
  readonly #definitions: Definitions | undefined;
  #hasInnerIds = false;

  /** `onObject` is called for each object in the schema, which may be large. */
  constructor(root: JsonSchema, definitions?: Definitions, onObject?: () => void) {
    this.root = root;
    this.#definitions = definitions;
    let tracksEvaluated = definitions?.tracksEvaluated ?? false;
    eachObject(root, (object) => {
      onObject?.();
      if (Object.hasOwn(object, 'unevaluatedProperties') || Object.hasOwn(object, 'unevaluatedItems')) {
        tracksEvaluated = true;
      }
      this.#note(object);
    });
    this.tracksEvaluated = tracksEvaluated;
  }

  /** The target of a `$ref` or `$dynamicRef`. Within one document the two are equivalent. */
  resolve(reference: string): JsonSchema | undefined {
    if (!this.#found.has(reference)) this.#found.set(reference, this.#find(reference));
    return this.#found.get(reference);
  }

  /** The schema itself and those that apply whenever it does. */
  partsOf(schema: JsonSchema): readonly SchemaObject[] {
    if (!isObject(schema)) return [];
    const known = this.#parts.get(schema);
    if (known) return known;
    const parts = new Set<SchemaObject>();
    const open: unknown[] = [schema];
    for (const part of open) {
      if (!isObject(part) || parts.has(part)) continue;
      parts.add(part);
      if (typeof part.$ref === 'string') open.push(this.resolve(part.$ref));
      if (Array.isArray(part.allOf)) for (const one of part.allOf) open.push(one);
    }
    this.#parts.set(schema, [...parts]);
    return [...parts];
  }

  /** The properties of a schema that have a default. Most have none, and a list may have ten thousand objects. */
  keysWithDefault(schema: SchemaObject): readonly string[] {
    const known = this.#defaults.get(schema);
    if (known) return known;
    const properties = isObject(schema.properties) ? schema.properties : {};
    const keys = Object.keys(properties).filter((key) => {
      const property = properties[key];
      return isSchema(property) && this.partsOf(property).some((part) => Object.hasOwn(part, 'default'));
    });
    this.#defaults.set(schema, keys);
    return keys;
  }

  #note(object: SchemaObject): void {
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = Object.hasOwn(object, keyword) ? object[keyword] : undefined;
      if (typeof name === 'string' && !this.#anchors.has(name)) this.#anchors.set(name, object);
    }
    if (object !== this.root && Object.hasOwn(object, '$id') && typeof object.$id === 'string') {
      this.#hasInnerIds = true;
    }
  }

  #find(reference: string): JsonSchema | undefined {
    // A part with its own `$id` changes the base of its references. An unresolved reference is better than a wrong one.
    if (this.#hasInnerIds) return undefined;
    const fragment = this.#fragmentOf(reference);
    if (fragment === undefined) return undefined;
    if (fragment === '') return this.root;
    if (!fragment.startsWith('/')) return this.#anchors.get(fragment);
    const tokens = fragment
      .split('/')
      .slice(1)
      .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
    return within(this.root, tokens) ?? this.#shared(tokens);
  }

  #shared([keyword, name, ...rest]: string[]): JsonSchema | undefined {
    if (keyword !== '$defs' || name === undefined) return undefined;
    return within(this.#definitions?.get(name), rest);
  }

  #fragmentOf(reference: string): string | undefined {
    const [address, fragment = ''] = reference.split('#', 2);
    const own = isObject(this.root) && Object.hasOwn(this.root, '$id') ? this.root.$id : undefined;
    if (address !== '' && address !== (typeof own === 'string' ? own.replace(/#$/, '') : undefined)) {
      return undefined;
    }
    try {
      return decodeURIComponent(fragment);
    } catch {
      return undefined;
    }
  }
}

function within(value: unknown, tokens: string[]): JsonSchema | undefined {
  let current = value;
  for (const key of tokens) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return isSchema(current) ? current : undefined;
}

/** Every object in a JSON value. Uses a loop, because a document may be nested deeper than the stack. */
function eachObject(root: unknown, visit: (object: SchemaObject) => void): void {
  const open: unknown[] = [root];
  for (let visited = 0; open.length > 0 && visited < maxNodes; visited++) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) visit(value as SchemaObject);
    for (const key of Object.keys(value)) {
      const child = (value as Record<string, unknown>)[key];
      if (typeof child === 'object' && child !== null) open.push(child);
    }
  }
}
