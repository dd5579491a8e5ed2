import type { JsonObject } from '../../../document/json.ts';
import type { JsonPointer } from '../../../document/json-pointer.ts';
import type { Warnings } from '../../../document/warnings.ts';
import type { References } from '../document/references.ts';
import type { Dialect } from '../parse/recognise.ts';
import type { SchemaReader } from '../schema/schema-reader.ts';

/** The document that is being read, with its reference resolver, schema reader and warnings. */
export interface Api {
  root: JsonObject;
  pointer: JsonPointer;
  dialect: Dialect;
  references: References;
  warnings: Warnings;
  schemas: SchemaReader;
  /** The variables of all servers with their allowed values; empty if any value is allowed. */
  variables: Map<string, string[]>;
}
