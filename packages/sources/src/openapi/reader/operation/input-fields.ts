import type { JsonSchema } from '@executor/engine';
import { responseField, responseFieldSchema } from '../../response-field.ts';
import { type JsonObject, setOwn } from '../document/json.ts';

/** The fields of an input. If two have the same name, the later one is prefixed with its location: `body_id`. */
export class InputFields {
  readonly #schemas = new Map<string, JsonSchema>();
  readonly required = new Set<string>();

  add(location: string, name: string, schema: JsonSchema): string {
    const field = this.#free(location, name);
    this.#schemas.set(field, schema);
    return field;
  }

  /** Widens an existing field with another schema. */
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

  /** The field that chooses what a call returns. It is not part of the request. */
  #isTaken(name: string): boolean {
    return name === responseField || this.#schemas.has(name);
  }
}
