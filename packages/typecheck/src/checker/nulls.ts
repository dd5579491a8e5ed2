import { type Node, type SourceFile, SyntaxKind, type TypeNode } from 'typescript/unstable/ast';
import { isPropertyAssignment } from 'typescript/unstable/ast/is';
import type { Project } from 'typescript/unstable/async';
import { declaredTypes, isDeclaredByAll } from './declared-types.ts';
import { fieldsAbove } from './fields-above.ts';
import { mayBeNull } from './may-be-null.ts';

type Checker = Project['checker'];

/** A field with the value `null`, and its expected types. */
export interface WrongNull {
  value: Node;
  expected: TypeNode[];
}

/**
 * The fields that are written as `null` but never accept it. TypeScript accepts null with our settings, so the declared
 * type is read from its source text.
 */
export async function wrongNulls(file: SourceFile, checker: Checker): Promise<WrongNull[]> {
  const found: WrongNull[] = [];
  for (const value of nullsIn(file)) {
    const expected = await expectedTypes(value, checker);
    if (expected.length > 0) found.push({ value, expected });
  }
  return found;
}

function nullsIn(node: Node): Node[] {
  const found: Node[] = [];
  const visit = (child: Node): undefined => {
    if (isPropertyAssignment(child) && child.initializer.kind === SyntaxKind.NullKeyword)
      found.push(child.initializer);
    child.forEachChild(visit);
  };
  visit(node);
  return found;
}

/** Empty if null may be valid. */
async function expectedTypes(value: Node, checker: Checker): Promise<TypeNode[]> {
  const [field, ...above] = fieldsAbove(value);
  const expected = field ? await declaredTypes(field, checker) : [];
  for (const type of expected) if (await mayBeNull(type, checker)) return [];
  for (const outer of above) if (!(await isDeclaredByAll(outer, checker))) return [];
  return expected;
}
