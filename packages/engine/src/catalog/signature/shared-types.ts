import type { JsonSchema } from '../../ports/source.ts';
import type { Shape } from './shape.ts';
import type { ShapeReader } from './shape-reader.ts';

/** The search for shared types stops after this many schemas. */
const maxSteps = 5_000;

/**
 * The definitions that get a name of their own, because they occur twice within the printed depth or inside of
 * themselves.
 */
export class SharedTypes {
  readonly keys = new Set<string>();
  /** The depth to which each reference was followed. */
  readonly #followed = new Map<string, number>();
  #steps = 0;

  add(reader: ShapeReader, depth: number): void {
    this.#schema(reader.root, reader, depth);
  }

  #schema(schema: JsonSchema, reader: ShapeReader, depth: number): void {
    this.#steps += 1;
    if (this.#steps <= maxSteps) this.#shape(reader.shape(schema), reader, depth);
  }

  #shape(shape: Shape, reader: ShapeReader, depth: number): void {
    reader.spend(1);
    if (shape.kind === 'reference') {
      if (depth <= 0) return;
      const before = this.#followed.get(shape.key);
      if (before !== undefined) this.keys.add(shape.key);
      if (before !== undefined && before >= depth) return;
      this.#followed.set(shape.key, depth);
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
