import {
  type Expression,
  type Identifier,
  type Node,
  type PropertyAssignment,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';
import {
  isArrayLiteralExpression,
  isArrowFunction,
  isCallExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isMethodDeclaration,
  isNumericLiteral,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isStringLiteral,
} from 'typescript/unstable/ast/is';
import { memberPath } from './member-path.ts';
import { type Written, writtenAs } from './written.ts';

/** A call of something that may be a tool. */
export interface PossibleCall {
  /** What its path begins with, which may be `tools`, a name for a part of it, or anything else. */
  root: Identifier;
  segments: string[];
  part: 'path' | 'input';
  /** What is at the place, and how it is written. */
  value: Node;
  written: Written;
  /** Which part of the input it is: `input.labels[0]`. */
  field: string;
}

interface Span {
  pos: number;
  end: number;
}

/** The call that a place in the code belongs to, as its path or as a part of what is given to it. */
export function callAt(file: SourceFile, span: Span): PossibleCall | undefined {
  const node = nodeAt(file, span);
  const value = isName(node) ? node.parent.initializer : node;
  let field = '';
  let inner = node;
  for (let outer = parentOf(inner); outer !== undefined; inner = outer, outer = parentOf(outer)) {
    if (isFunction(outer)) return undefined;
    field = `${stepInto(outer, inner)}${field}`;
    if (!isCallExpression(outer)) continue;
    const named = memberPath(outer.expression);
    if (named === undefined) return undefined;
    const part = outer.expression === inner ? 'path' : 'input';
    return { ...named, part, value, written: writtenAs(value), field: `input${field}` };
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

/** How what is inside is reached from what is around it. */
function stepInto(outer: Node, inner: Node): string {
  if (isArrayLiteralExpression(outer)) {
    const place = outer.elements.indexOf(inner as Expression);
    return place === -1 ? '' : `[${place}]`;
  }
  if (!isPropertyAssignment(outer) && !isShorthandPropertyAssignment(outer)) return '';
  const { name } = outer;
  if (isIdentifier(name)) return `.${name.text}`;
  return isStringLiteral(name) || isNumericLiteral(name) ? `[${JSON.stringify(name.text)}]` : '';
}
