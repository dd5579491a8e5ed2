import { type BindingElement, type Node, NodeFlags, type VariableDeclaration } from 'typescript/unstable/ast';
import {
  isBindingElement,
  isIdentifier,
  isObjectBindingPattern,
  isStringLiteral,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import type { Project } from 'typescript/unstable/async';
import { type MemberPath, memberPath } from './member-path.ts';
import { codeFile, toolsFile } from './virtual-files.ts';

/** Maximum number of aliases to follow. */
const maxNames = 5;

/**
 * The tool path of an expression: `tools.a.b`, or the same through constant aliases for parts of `tools`. Undefined for
 * anything else, including another variable named `tools`.
 */
export async function toolPath(
  { root, segments }: MemberPath,
  checker: Project['checker'],
  names = maxNames,
): Promise<string | undefined> {
  const symbol = await checker.getSymbolAtLocation(root);
  if (symbol?.declarations.some(({ path }) => path === toolsFile))
    return segments.length > 0 ? segments.join('.') : undefined;
  const declared = symbol?.valueDeclaration;
  if (declared === undefined || declared.path !== codeFile || names === 0) return undefined;
  const node = await declared.resolve();
  const alias = node && aliasOf(node);
  if (alias === undefined) return undefined;
  return toolPath({ root: alias.root, segments: [...alias.segments, ...segments] }, checker, names - 1);
}

/** The expression behind an alias: `const x = a.b`, `const { b: x } = a`. */
function aliasOf(declared: Node): MemberPath | undefined {
  const fields: string[] = [];
  let node = declared;
  while (isBindingElement(node)) {
    const field = fieldOf(node);
    if (field === undefined || !isObjectBindingPattern(node.parent)) return undefined;
    fields.unshift(field);
    node = node.parent.parent;
  }
  const from = isVariableDeclaration(node) ? constantOf(node) : undefined;
  return from && { root: from.root, segments: [...from.segments, ...fields] };
}

function fieldOf({ propertyName, name, dotDotDotToken, initializer }: BindingElement): string | undefined {
  if (dotDotDotToken || initializer) return undefined;
  const field = propertyName ?? name;
  return field && (isIdentifier(field) || isStringLiteral(field)) ? field.text : undefined;
}

function constantOf({ parent, type, initializer }: VariableDeclaration): MemberPath | undefined {
  const isConstant = (parent.flags & NodeFlags.Const) !== 0;
  return isConstant && type === undefined && initializer ? memberPath(initializer) : undefined;
}
