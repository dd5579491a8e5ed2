import { type Node, type ObjectLiteralExpression, SyntaxKind } from 'typescript/unstable/ast';
import {
  isArrayLiteralExpression,
  isComputedPropertyName,
  isConditionalExpression,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPrefixUnaryExpression,
  isSpreadAssignment,
  isStringLiteral,
  isTemplateExpression,
  isVoidExpression,
} from 'typescript/unstable/ast/is';

/**
 * The knowledge about a value from its syntax alone: all fields of an object literal without spreads and computed
 * names, a literal string or number, its kind, or that it may be undefined.
 */
export type LiteralForm = 'whole object' | 'object' | 'list' | 'text' | 'literal' | 'undefined' | 'something';

export function literalForm(node: Node): LiteralForm {
  if (isParenthesizedExpression(node)) return literalForm(node.expression);
  if (isObjectLiteralExpression(node)) return isWhole(node) ? 'whole object' : 'object';
  if (isArrayLiteralExpression(node)) return 'list';
  // A template with substitutions can be any string.
  if (isTemplateExpression(node)) return 'text';
  if (isLiteral(node)) return 'literal';
  return mayBeMissing(node) ? 'undefined' : 'something';
}

function isWhole({ properties }: ObjectLiteralExpression): boolean {
  return properties.every(
    (property) =>
      !isSpreadAssignment(property) &&
      !(property.name !== undefined && isComputedPropertyName(property.name)),
  );
}

function isLiteral(node: Node): boolean {
  if (isPrefixUnaryExpression(node)) return isNumericLiteral(node.operand);
  return (
    isStringLiteral(node) ||
    isNumericLiteral(node) ||
    isNoSubstitutionTemplateLiteral(node) ||
    node.kind === SyntaxKind.TrueKeyword ||
    node.kind === SyntaxKind.FalseKeyword
  );
}

/** A field without a value is not sent. */
function mayBeMissing(node: Node): boolean {
  if (isConditionalExpression(node)) {
    return [node.whenTrue, node.whenFalse].some((branch) => literalForm(branch) === 'undefined');
  }
  return isVoidExpression(node) || (isIdentifier(node) && node.text === 'undefined');
}
