import { type Node, type SourceFile, SyntaxKind, type TypeNode } from 'typescript/unstable/ast';
import {
  isIntersectionTypeNode,
  isLiteralTypeNode,
  isParenthesizedTypeNode,
  isPropertyAssignment,
  isPropertySignatureDeclaration,
  isTypeAliasDeclaration,
  isTypeReferenceNode,
  isUnionTypeNode,
} from 'typescript/unstable/ast/is';
import type { Project } from 'typescript/unstable/async';
import { fieldsAbove } from './fields-above.ts';
import { toolsFile } from './virtual-files.ts';

type Checker = Project['checker'];

/** A field that is given `null`, and the type that it should have. */
export interface WrongNull {
  value: Node;
  wanted: TypeNode;
}

/** How many names of types are followed. */
const mostNames = 5;

/**
 * The fields that are written as `null` and can never be that. TypeScript lets null through here, so what is declared of a field is read as it is
 * written.
 */
export async function wrongNulls(file: SourceFile, checker: Checker): Promise<WrongNull[]> {
  const found: WrongNull[] = [];
  for (const value of nullsIn(file)) {
    const wanted = await declaredType(value, checker);
    if (wanted !== undefined && !(await mayBeNull(wanted, checker))) found.push({ value, wanted });
  }
  return found;
}

function nullsIn(node: Node): Node[] {
  const found: Node[] = [];
  const look = (child: Node): undefined => {
    if (isPropertyAssignment(child) && child.initializer.kind === SyntaxKind.NullKeyword)
      found.push(child.initializer);
    child.forEachChild(look);
  };
  look(node);
  return found;
}

/** What is declared of the field, if a tool declares it, and once. */
async function declaredType(value: Node, checker: Checker): Promise<TypeNode | undefined> {
  const [field] = fieldsAbove(value);
  const type = field && (await checker.getContextualType(field.object));
  const property = type && (await checker.getPropertyOfType(type, field.name));
  const [declared, ...others] = property?.declarations ?? [];
  if (declared?.path !== toolsFile || others.length > 0) return undefined;
  const node = await declared.resolve();
  return node && isPropertySignatureDeclaration(node) ? node.type : undefined;
}

const neverNull = new Set([
  SyntaxKind.StringKeyword,
  SyntaxKind.NumberKeyword,
  SyntaxKind.BooleanKeyword,
  SyntaxKind.ArrayType,
  SyntaxKind.TupleType,
  SyntaxKind.TypeLiteral,
]);

async function mayBeNull(type: TypeNode, checker: Checker, names = mostNames): Promise<boolean> {
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
