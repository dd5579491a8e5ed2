import { SyntaxKind, type TypeNode } from 'typescript/unstable/ast';
import {
  isIntersectionTypeNode,
  isLiteralTypeNode,
  isParenthesizedTypeNode,
  isTypeAliasDeclaration,
  isTypeReferenceNode,
  isUnionTypeNode,
} from 'typescript/unstable/ast/is';
import type { Project } from 'typescript/unstable/async';

/** Maximum number of type aliases to follow. */
const maxNames = 5;

const neverNull = new Set([
  SyntaxKind.StringKeyword,
  SyntaxKind.NumberKeyword,
  SyntaxKind.BooleanKeyword,
  SyntaxKind.ArrayType,
  SyntaxKind.TupleType,
  SyntaxKind.TypeLiteral,
]);

/** Whether a written type accepts null. Unknown types do. */
export async function mayBeNull(
  type: TypeNode,
  checker: Project['checker'],
  names = maxNames,
): Promise<boolean> {
  if (isParenthesizedTypeNode(type)) return mayBeNull(type.type, checker, names);
  if (isUnionTypeNode(type) || isIntersectionTypeNode(type)) {
    const members = await Promise.all(type.types.map((member) => mayBeNull(member, checker, names)));
    return isUnionTypeNode(type) ? members.includes(true) : !members.includes(false);
  }
  if (isLiteralTypeNode(type)) return type.literal.kind === SyntaxKind.NullKeyword;
  if (!isTypeReferenceNode(type)) return !neverNull.has(type.kind);
  const symbol = names > 0 ? await checker.getSymbolAtLocation(type.typeName) : undefined;
  const node = await symbol?.declarations[0]?.resolve();
  return node && isTypeAliasDeclaration(node) ? mayBeNull(node.type, checker, names - 1) : true;
}
