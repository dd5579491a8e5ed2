import type { JsonSchema } from '../../ports/source.ts';
import type { Shape } from './shape.ts';
import type { ShapeReader } from './shape-reader.ts';

/** Past this many steps nothing new is found out. */
const maxSteps = 5_000;

/** The definitions that get a name of their own: those that occur twice within the depth that is told, or within themselves. */
export class SharedTypes {
  readonly keys = new Set<string>();
  /** How deep each was followed. */
  readonly #met = new Map<string, number>();
  #steps = 0;

  add(reader: ShapeReader, depth: number): void {
    this.#schema(reader.root, reader, depth);
  }

  #schema(schema: JsonSchema, reader: ShapeReader, depth: number): void {
    this.#steps += 1;
    if (this.#steps <= maxSteps) this.#shape(reader.shape(schema), reader, depth);
  }

  #shape(shape: Shape, reader: ShapeReader, depth: number): void {
    if (shape.kind === 'reference') {
      if (depth <= 0) return;
      const before = this.#met.get(shape.key);
      if (before !== undefined) this.keys.add(shape.key);
      if (before !== undefined && before >= depth) return;
      this.#met.set(shape.key, depth);
      this.#shape(reader.expand(shape), reader, depth);
    } else if (shape.kind === 'object') {
      for (const { schema } of depth > 0 ? shape.fields : []) this.#schema(schema, reader, depth - 1);
      if (shape.others !== undefined) this.#schema(shape.others, reader, depth);
    } else if (shape.kind === 'array') {
      for (const one of shape.prefix) this.#schema(one, reader, depth);
      if (shape.items !== undefined) this.#schema(shape.items, reader, depth);
    } else if (shape.kind === 'union' || shape.kind === 'intersection') {
      for (const member of shape.members) this.#shape(member, reader, depth);
    }
  }
}
