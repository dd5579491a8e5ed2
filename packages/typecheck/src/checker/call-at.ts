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
import { type LiteralForm, literalForm } from './literal-form.ts';
import { memberPath } from './member-path.ts';

/** A call that may be a tool call. */
export interface PossibleCall {
  /** The root of its path: `tools`, an alias for a part of it, or anything else. */
  root: Identifier;
  segments: string[];
  part: 'path' | 'input';
  /** The expression at the position, and its syntax. */
  value: Node;
  form: LiteralForm;
  /** Its path in the input: `input.labels[0]`. */
  field: string;
}

interface Span {
  pos: number;
  end: number;
}

/** The call that a position in the code belongs to: in its path or in its arguments. */
export function callAt(file: SourceFile, span: Span): PossibleCall | undefined {
  const node = nodeAt(file, span);
  const value = isName(node) ? node.parent.initializer : node;
  let field = '';
  let inner = node;
  for (let outer = parentOf(inner); outer !== undefined; inner = outer, outer = parentOf(outer)) {
    if (isFunction(outer)) return undefined;
    field = `${stepInto(outer, inner)}${field}`;
    if (!isCallExpression(outer)) continue;
    const path = memberPath(outer.expression);
    if (path === undefined) return undefined;
    const part = outer.expression === inner ? 'path' : 'input';
    return { ...path, part, value, form: literalForm(value), field: `input${field}` };
  }
  return undefined;
}

/** The innermost node that contains the whole span. */
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

/** Code inside a callback is not an argument of the call that receives the callback. */
function isFunction(node: Node): boolean {
  return (
    isArrowFunction(node) ||
    isFunctionExpression(node) ||
    isMethodDeclaration(node) ||
    isFunctionDeclaration(node)
  );
}

/** An error in a field points at the field's name. */
function isName(node: Node): node is Node & { parent: PropertyAssignment } {
  return isPropertyAssignment(node.parent) && node.parent.name === node;
}

/** The path from an outer expression to an inner one. */
function stepInto(outer: Node, inner: Node): string {
  if (isArrayLiteralExpression(outer)) {
    const index = outer.elements.indexOf(inner as Expression);
    return index === -1 ? '' : `[${index}]`;
  }
  if (!isPropertyAssignment(outer) && !isShorthandPropertyAssignment(outer)) return '';
  const { name } = outer;
  if (isIdentifier(name)) return `.${name.text}`;
  return isStringLiteral(name) || isNumericLiteral(name) ? `[${JSON.stringify(name.text)}]` : '';
}
