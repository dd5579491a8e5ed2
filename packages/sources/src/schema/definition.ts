import type { Located } from '../document/json-pointer.ts';

/** The direction of a value: read-only properties are not sent, write-only properties are not returned. */
export type Direction = 'input' | 'output';

/** A schema that other schemas reference. */
export interface Definition extends Located {
  name: string;
  /** Whether it or anything it references differs between the directions. Known once an input has reached it. */
  differs?: boolean;
}

/** A packed definition in one direction. */
export interface Converted {
  /** Hash of the parts that decide what a request may contain. */
  hash: string;
  /** Names of the definitions that it references. */
  references: string[];
}
