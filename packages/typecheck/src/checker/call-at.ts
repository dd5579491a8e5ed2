import {
  type Identifier,
  type Node,
  type PropertyAssignment,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isCallExpression,
  isElementAccessExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isMethodDeclaration,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
} from 'typescript/unstable/ast/is';
import { type Written, writtenAs } from './written.ts';

export interface ToolCall {
  path: string;
  part: 'path' | 'input';
  /** Its `tools`, which may be another than ours. */
  root: Identifier;
  /** How what is at the place is written. */
  written: Written;
}

interface Span {
  pos: number;
  end: number;
}

/** The call of a tool that a place in the code belongs to, as its path or as a part of what is given to it. */
export function callAt(file: SourceFile, span: Span): ToolCall | undefined {
  const node = nodeAt(file, span);
  const written = writtenAs(isName(node) ? node.parent.initializer : node);
  let inner = node;
  for (let outer = parentOf(inner); outer !== undefined; inner = outer, outer = parentOf(outer)) {
    if (isFunction(outer)) return undefined;
    if (!isCallExpression(outer)) continue;
    const named = toolPath(outer.expression);
    if (named === undefined) return undefined;
    return { ...named, part: outer.expression === inner ? 'path' : 'input', written };
  }
  return undefined;
}

/** The innermost one that has all of it inside. */
function nodeAt(file: SourceFile, { pos, end }: Span): Node {
  let node: Node = file;
  for (;;) {
    const inner: Node | undefined = node.forEachChild((child) =>
      child.pos <= pos && end <= child.end && child.getStart(file) <= pos ? child : undefined,
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

/** `tools.a.b` is `a.b`; undefined where it is anything else. */
function toolPath(expression: Node): Pick<ToolCall, 'path' | 'root'> | undefined {
  const segments: string[] = [];
  let node = expression;
  for (;;) {
    if (isPropertyAccessExpression(node)) segments.unshift(node.name.text);
    else if (isElementAccessExpression(node) && isStringLiteral(node.argumentExpression)) {
      segments.unshift(node.argumentExpression.text);
    } else if (!isParenthesizedExpression(node)) break;
    node = node.expression;
  }
  if (!isIdentifier(node) || node.text !== 'tools' || segments.length === 0) return undefined;
  return { path: segments.join('.'), root: node };
}
