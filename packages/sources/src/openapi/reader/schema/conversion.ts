import type { Located } from '../document/place.ts';
import type { References } from '../document/references.ts';
import type { Warnings } from '../document/warnings.ts';
import type { Dialect } from '../parse/recognise.ts';
import type { Direction } from './definition.ts';

/** The state of one conversion. */
export interface Conversion {
  direction: Direction;
  dialect: Dialect;
  references: References;
  warnings: Warnings;
  /** Names of the referenced definitions. */
  refers: Set<string>;
  /** Number of schemas converted so far. */
  nodes: number;
  /** The definition name for a schema. */
  refer(target: Located): string | undefined;
}
