import { type Node, type PropertyAssignment, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isCallExpression,
  isElementAccessExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isMethodDeclaration,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isSpreadAssignment,
  isStringLiteral,
} from 'typescript/unstable/ast/is';

export interface ToolCall {
  path: string;
  part: 'path' | 'input';
  /** What is at the place is an object as it is written there, with all its fields: nothing is spread into it. */
  isWhole: boolean;
}

/** The call of a tool that a place in the code belongs to, as its path or as a part of what is given to it. */
export function callAt(file: SourceFile, position: number): ToolCall | undefined {
  const node = nodeAt(file, position);
  const isWhole = isWholeObject(isName(node) ? node.parent.initializer : node);
  let inner = node;
  for (let outer = parentOf(inner); outer !== undefined; inner = outer, outer = parentOf(outer)) {
    if (isFunction(outer)) return undefined;
    if (!isCallExpression(outer)) continue;
    const path = toolPath(outer.expression);
    if (path === undefined) return undefined;
    return { path, part: outer.expression === inner ? 'path' : 'input', isWhole };
  }
  return undefined;
}

/** The innermost one that begins there, or that has it inside. */
function nodeAt(file: SourceFile, position: number): Node {
  let node: Node = file;
  for (;;) {
    const inner: Node | undefined = node.forEachChild((child) =>
      child.pos <= position && position < child.end && child.getStart(file) <= position ? child : undefined,
    );
    if (inner === undefined) return node;
    node = inner;
  }
}

function parentOf(node: Node): Node | undefined {
  return node.kind === SyntaxKind.SourceFile ? undefined : node.parent;
}

/** What is inside a function is not what is given to the call that the function is given to. */
function isFunction(node: Node): boolean {
  return (
    isArrowFunction(node) ||
    isFunctionExpression(node) ||
    isMethodDeclaration(node) ||
    isFunctionDeclaration(node)
  );
}

/** Of a field that is wrong, its name is pointed at. */
function isName(node: Node): node is Node & { parent: PropertyAssignment } {
  return isPropertyAssignment(node.parent) && node.parent.name === node;
}

function isWholeObject(node: Node): boolean {
  return isObjectLiteralExpression(node) && !node.properties.some((property) => isSpreadAssignment(property));
}

/** `tools.a.b` is `a.b`; undefined where it is anything else. */
function toolPath(expression: Node): string | undefined {
  const segments: string[] = [];
  let node = expression;
  for (;;) {
    if (isPropertyAccessExpression(node)) segments.unshift(node.name.text);
    else if (isElementAccessExpression(node) && isStringLiteral(node.argumentExpression)) {
      segments.unshift(node.argumentExpression.text);
    } else if (!isParenthesizedExpression(node)) break;
    node = node.expression;
  }
  return isIdentifier(node) && node.text === 'tools' && segments.length > 0 ? segments.join('.') : undefined;
}
