import type { JsonSchema } from '@executor/engine';
import { type JsonObject, setOwn } from '../../../document/json.ts';
import { responseField, responseFieldSchema } from '../../response-field.ts';

/** The fields of an input. If two have the same name, the later one is prefixed with its location: `body_id`. */
export class InputFields {
  readonly #schemas = new Map<string, JsonSchema>();
  readonly required = new Set<string>();

  add(location: string, name: string, schema: JsonSchema): string {
    const field = this.#freeName(location, name);
    this.#schemas.set(field, schema);
    return field;
  }

  /** Widens an existing field with another schema. */
  widen(field: string, schema: JsonSchema): void {
    const schemaBefore = this.#schemas.get(field);
    if (schemaBefore === undefined || schemaBefore === true) return;
    const { description, ...others } = schemaBefore === false ? { not: {} } : schemaBefore;
    this.#schemas.set(field, { ...(description !== undefined && { description }), anyOf: [others, schema] });
  }

  properties(): JsonObject {
    const properties: JsonObject = {};
    for (const [field, schema] of this.#schemas) setOwn(properties, field, schema);
    properties[responseField] = responseFieldSchema;
    return properties;
  }

  #freeName(location: string, name: string): string {
    if (!this.#isTaken(name)) return name;
    const prefixed = `${location}_${name}`;
    let field = prefixed;
    for (let count = 2; this.#isTaken(field); count++) field = `${prefixed}_${count}`;
    return field;
  }

  /** The response field exists in every input, although it is not part of the request. */
  #isTaken(name: string): boolean {
    return name === responseField || this.#schemas.has(name);
  }
}
