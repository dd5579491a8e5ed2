import type { JsonSchema } from '../../ports/source.ts';
import { type ArrayShape, type ObjectShape, partsOf, type Reference, type Shape } from './shape.ts';
import type { ShapeReader } from './shape-reader.ts';

export type Direction = 'input' | 'output';

/** Where in a tool's types a shape is printed. */
export interface Position {
  reader: ShapeReader;
  direction: Direction;
  depth: number;
}

/**
 * Prints shapes as TypeScript. This class is the only walk over the kinds of shapes. Its two subclasses decide how much
 * of each is printed: `ReadablePrinter` shortens types for people and models, `ExactPrinter` keeps everything for a
 * type checker.
 */
export abstract class ShapePrinter<P extends Position> {
  /** Positions of a tuple that are printed. */
  protected readonly maxTupleItems: number = Number.POSITIVE_INFINITY;

  protected printSchema(schema: JsonSchema, position: P): string {
    return this.printShape(position.reader.shape(schema), position);
  }

  protected printShape(shape: Shape, position: P): string {
    position.reader.spend(1 + partsOf(shape));
    const text = this.#print(shape, position);
    position.reader.spend(text.length >> 7);
    return text;
  }

  #print(shape: Shape, position: P): string {
    switch (shape.kind) {
      case 'any':
      case 'never':
        return this.printKeyword(shape.kind, position);
      case 'primitive':
        return this.printKeyword(shape.name, position);
      case 'literals':
        return this.printLiterals(shape.values);
      case 'array':
        return this.#printArray(shape, position);
      case 'object':
        return this.printObject(shape, position);
      case 'reference':
        return this.printReference(shape, position);
      case 'union':
        return this.printMembers(shape.members, ' | ', position);
      case 'intersection':
        return this.printIntersection(shape.members, position);
    }
  }

  protected abstract printKeyword(name: Keyword, position: P): string;
  protected abstract printLiterals(values: unknown[]): string;
  protected abstract printObject(shape: ObjectShape, position: P): string;
  protected abstract printReference(reference: Reference, position: P): string;

  /** Puts the type of an array's items in parentheses where `[]` after it needs them. */
  protected abstract groupItems(text: string, shape: Shape): string;

  /** Puts a member of a union or an intersection in parentheses where the operator needs them. */
  protected abstract groupMember(text: string, shape: Shape): string;

  protected printMembers(members: Shape[], operator: ' | ' | ' & ', position: P): string {
    const texts = members.map((member) => this.groupMember(this.printShape(member, position), member));
    return [...new Set(texts)].join(operator);
  }

  protected printIntersection(members: Shape[], position: P): string {
    return this.printMembers(members, ' & ', position);
  }

  #printArray({ prefix, minItems, items }: ArrayShape, position: P): string {
    const first = prefix.slice(0, this.maxTupleItems).map((schema, index) => {
      const text = this.printSchema(schema, position);
      return index < minItems ? text : `(${text})?`;
    });
    const others = items === undefined ? undefined : `${this.#printItems(items, position)}[]`;
    if (prefix.length === 0) return others ?? '[]';
    return `[${[...first, ...(others === undefined ? [] : [`...${others}`])].join(', ')}]`;
  }

  #printItems(schema: JsonSchema, position: P): string {
    return this.groupItems(this.printSchema(schema, position), position.reader.shape(schema));
  }
}

type Keyword = 'any' | 'never' | 'string' | 'number' | 'boolean' | 'null';
