import type { Identifier, Node } from 'typescript/unstable/ast';
import {
  isElementAccessExpression,
  isIdentifier,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isStringLiteral,
} from 'typescript/unstable/ast/is';

export interface MemberPath {
  root: Identifier;
  segments: string[];
}

/** The parts of `a.b["c"]`; undefined for any other expression. */
export function memberPath(expression: Node): MemberPath | undefined {
  const segments: string[] = [];
  let node = expression;
  for (;;) {
    if (isPropertyAccessExpression(node)) segments.unshift(node.name.text);
    else if (isElementAccessExpression(node) && isStringLiteral(node.argumentExpression)) {
      segments.unshift(node.argumentExpression.text);
    } else if (!isParenthesizedExpression(node)) break;
    node = node.expression;
  }
  return isIdentifier(node) ? { root: node, segments } : undefined;
}
