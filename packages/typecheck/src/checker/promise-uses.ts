import { type Expression, type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isDoStatement,
  isElementAccessExpression,
  isForOfStatement,
  isForStatement,
  isFunctionExpression,
  isIfStatement,
  isNonNullExpression,
  isObjectBindingPattern,
  isParenthesizedExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isSpreadAssignment,
  isSpreadElement,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isVariableDeclaration,
  isWhileStatement,
} from 'typescript/unstable/ast/is';

/** An expression whose value is used. If the value is a promise, the code is wrong. */
export interface ValueUse {
  value: Node;
  /** A condition may check whether a value exists. The others need the value itself. */
  kind: 'property' | 'condition' | 'other';
  /** The name of the property. */
  name?: string;
}

/** The expressions whose value the code uses: its properties or items, in arithmetic, in a template, or as a condition. */
export function valueUses(file: SourceFile): ValueUse[] {
  const found: ValueUse[] = [];
  const visit = (node: Node): undefined => {
    for (const use of usesIn(node)) if (mayBePromise(use.value)) found.push(use);
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

/** The expressions to which the code assigns. */
export function assignedIn(file: SourceFile): Node[] {
  const found: Node[] = [];
  const visit = (node: Node): undefined => {
    if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.EqualsToken) found.push(node.left);
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

/** The expression inside of parentheses. */
export function bare(node: Node): Node {
  return isParenthesizedExpression(node) || isNonNullExpression(node) ? bare(node.expression) : node;
}

function mayBePromise(node: Node): boolean {
  const { kind } = bare(node);
  return (
    kind === SyntaxKind.CallExpression ||
    kind === SyntaxKind.Identifier ||
    kind === SyntaxKind.ElementAccessExpression ||
    kind === SyntaxKind.PropertyAccessExpression
  );
}

/** A promise has these itself. */
const ofPromises = ['then', 'catch', 'finally', 'constructor', 'toString'];

function usesIn(node: Node): ValueUse[] {
  if (isPropertyAccessExpression(node)) {
    const isOwn = ofPromises.includes(node.name.text) || isTarget(node);
    return isOwn ? [] : [{ value: node.expression, kind: 'property', name: node.name.text }];
  }
  if (isElementAccessExpression(node)) {
    const { expression: value, argumentExpression: index } = node;
    const isOwn = (isStringLiteral(index) && ofPromises.includes(index.text)) || isTarget(node);
    return isOwn ? [] : [other(value)];
  }
  if (isVariableDeclaration(node)) {
    const isPattern = isObjectBindingPattern(node.name) || node.name.kind === SyntaxKind.ArrayBindingPattern;
    return isPattern && node.initializer && !takesOwn(node.name) ? [other(node.initializer)] : [];
  }
  if (isForOfStatement(node) || isSpreadElement(node) || isSpreadAssignment(node))
    return [other(node.expression)];
  if (isTemplateExpression(node) && !isTaggedTemplateExpression(node.parent))
    return node.templateSpans.map(({ expression }) => other(expression));
  if (isPrefixUnaryExpression(node)) {
    return node.operator === SyntaxKind.ExclamationToken ? conditions(node.operand) : [other(node.operand)];
  }
  if (isBinaryExpression(node)) return usesInBinary(node.operatorToken.kind, node.left, node.right);
  if (isConditionalExpression(node)) return conditions(node.condition);
  if (isForStatement(node)) return node.condition ? conditions(node.condition) : [];
  if (isIfStatement(node) || isWhileStatement(node) || isDoStatement(node))
    return conditions(node.expression);
  return [];
}

function other(value: Node): ValueUse {
  return { value, kind: 'other' };
}

/** Code may add a property to any object. */
function isTarget(node: Expression): boolean {
  const { parent } = node;
  return (
    isBinaryExpression(parent) && parent.left === node && parent.operatorToken.kind === SyntaxKind.EqualsToken
  );
}

/** `const { then } = promise` is legal. */
function takesOwn(pattern: Node): boolean {
  return (
    isObjectBindingPattern(pattern) &&
    pattern.elements.every(({ propertyName, name }) => ofPromises.includes(textOf(propertyName ?? name)))
  );
}

function textOf(name: Node | undefined): string {
  return (name as { text?: string } | undefined)?.text ?? '';
}

const arithmetic = new Set<SyntaxKind>([
  SyntaxKind.PlusToken,
  SyntaxKind.MinusToken,
  SyntaxKind.AsteriskToken,
  SyntaxKind.SlashToken,
  SyntaxKind.PercentToken,
  SyntaxKind.AsteriskAsteriskToken,
  SyntaxKind.LessThanToken,
  SyntaxKind.LessThanEqualsToken,
  SyntaxKind.GreaterThanToken,
  SyntaxKind.GreaterThanEqualsToken,
  SyntaxKind.PlusEqualsToken,
  SyntaxKind.MinusEqualsToken,
  SyntaxKind.AsteriskEqualsToken,
  SyntaxKind.SlashEqualsToken,
]);

function usesInBinary(operator: SyntaxKind, left: Node, right: Node): ValueUse[] {
  if (arithmetic.has(operator)) return [other(left), other(right)];
  // `a || b` may be awaited as a whole.
  return operator === SyntaxKind.AmpersandAmpersandToken ? conditions(left) : [];
}

/** In `a && b` as a condition, both are conditions. The left one is found where the operator is. */
function conditions(node: Node): ValueUse[] {
  const value = bare(node);
  if (!isBinaryExpression(value)) return [{ value, kind: 'condition' }];
  const { kind } = value.operatorToken;
  if (kind === SyntaxKind.AmpersandAmpersandToken) return conditions(value.right);
  return kind === SyntaxKind.BarBarToken ? [...conditions(value.left), ...conditions(value.right)] : [];
}

/** Methods of lists that use what their callback returns as a condition. */
const testing = ['filter', 'find', 'findIndex', 'findLast', 'some', 'every'];

/** A test of list items that is an `async` function, so that it is true for every item. */
export interface AsyncTest {
  list: Node;
  method: string;
  callback: Node;
}

export function asyncTests(file: SourceFile): AsyncTest[] {
  const found: AsyncTest[] = [];
  const visit = (node: Node): undefined => {
    const test = asyncTestIn(node);
    if (test) found.push(test);
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

function asyncTestIn(node: Node): AsyncTest | undefined {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return undefined;
  const { expression: list, name } = node.expression;
  const [callback] = node.arguments;
  if (callback === undefined || !testing.includes(name.text)) return undefined;
  if (!isArrowFunction(callback) && !isFunctionExpression(callback)) return undefined;
  const isAsync = callback.modifiers?.some(({ kind }) => kind === SyntaxKind.AsyncKeyword) === true;
  return isAsync ? { list, method: name.text, callback } : undefined;
}
