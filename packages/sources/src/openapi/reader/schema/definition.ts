import type { Located } from '../document/place.ts';

/** Which way a value goes: what is read only is not sent, what is written only does not come back. */
export type Direction = 'input' | 'output';

/** A schema that others refer to. */
export interface Definition extends Located {
  name: string;
  /** Whether it, or anything it leads to, is not the same in both directions. Known once an input has led here. */
  differs?: boolean;
}

/** What was made of a definition in one direction, as far as it matters once it is packed. */
export interface Converted {
  /** Of what a request may hold. */
  hash: string;
  /** The names of the definitions that it refers to. */
  refers: string[];
}
