import type { JsonObject } from '../document/json.ts';
import type { Place } from '../document/place.ts';
import type { References } from '../document/references.ts';
import type { Warnings } from '../document/warnings.ts';
import type { Dialect } from '../parse/recognise.ts';
import type { SchemaReader } from '../schema/schema-reader.ts';

/** The document that is being read, with what reads it. */
export interface Api {
  root: JsonObject;
  place: Place;
  dialect: Dialect;
  references: References;
  warnings: Warnings;
  schemas: SchemaReader;
  /** The variables of all servers, with what each may be; of what may be anything, nothing. */
  variables: Map<string, string[]>;
}
