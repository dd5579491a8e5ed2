import type { Located } from '../../../document/json-pointer.ts';
import type { Warnings } from '../../../document/warnings.ts';
import type { Direction } from '../../../schema/definition.ts';
import type { References } from '../document/references.ts';
import type { Dialect } from '../parse/recognise.ts';

/** The state of one conversion. */
export interface Conversion {
  direction: Direction;
  dialect: Dialect;
  references: References;
  warnings: Warnings;
  /** Names of the referenced definitions. */
  referenced: Set<string>;
  /** Number of schemas converted so far. */
  nodes: number;
  /** The name of the definition for a referenced schema; undefined if the limit of definitions is reached. */
  defineTarget(target: Located): string | undefined;
}
