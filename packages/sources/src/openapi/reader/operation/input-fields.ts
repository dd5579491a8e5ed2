import type { JsonSchema } from '@executor/engine';
import { responseField, responseFieldSchema } from '../../response-field.ts';
import { type JsonObject, setOwn } from '../document/json.ts';

/** The fields of an input, each under a name of its own: the later of two that want the same says where it is from, `body_id`. */
export class InputFields {
  readonly #schemas = new Map<string, JsonSchema>();
  readonly required = new Set<string>();

  add(location: string, name: string, schema: JsonSchema): string {
    const field = this.#free(location, name);
    this.#schemas.set(field, schema);
    return field;
  }

  /** Lets a field that is there be something else as well. */
  widen(field: string, schema: JsonSchema): void {
    const known = this.#schemas.get(field);
    if (known === undefined || known === true) return;
    const { description, ...rest } = known === false ? { not: {} } : known;
    this.#schemas.set(field, { ...(description !== undefined && { description }), anyOf: [rest, schema] });
  }

  properties(): JsonObject {
    const properties: JsonObject = {};
    for (const [field, schema] of this.#schemas) setOwn(properties, field, schema);
    properties[responseField] = responseFieldSchema;
    return properties;
  }

  #free(location: string, name: string): string {
    if (!this.#isTaken(name)) return name;
    const wish = `${location}_${name}`;
    let field = wish;
    for (let count = 2; this.#isTaken(field); count++) field = `${wish}_${count}`;
    return field;
  }

  /** One field chooses what a call gives back, and is no part of the request. */
  #isTaken(name: string): boolean {
    return name === responseField || this.#schemas.has(name);
  }
}
