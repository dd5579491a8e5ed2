import type { JsonObject } from '../../../document/json.ts';
import type { JsonPointer } from '../../../document/json-pointer.ts';
import type { Warnings } from '../../../document/warnings.ts';
import type { Operation } from '../operation/operations.ts';
import type { Recognised } from './recognise.ts';

/** A parsed document, of whatever format, as an OpenAPI document. */
export interface DescribedDocument extends Recognised {
  root: JsonObject;
  /** Its operations, if they are not in `paths`. */
  operations?(pointer: JsonPointer, warnings: Warnings): Operation[];
  /** Why it has no tools, if it has none. Part of a sentence. */
  noToolsReason: string;
  /** The JSON pointer in the original document for one in this document. */
  pointerOf?(place: string): string;
}
