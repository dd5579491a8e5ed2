import type { Program } from 'acorn';
import { type AnyNode, isNode, nodesIn } from './nodes-in.ts';

/** Positions in the text that was parsed. */
export interface KnownPositions {
  result?: number;
  wait?: number;
}

/**
 * Where the code gives its result and where it waits, as far as that is in one place only. What is wrong with a result shows when the code
 * is over, and a promise that never settles when nothing runs: there is no stack then.
 */
export function findKnownPositions(program: Program): KnownPositions {
  const result = resultIn(program.body.at(-1), new Map(), new Set());
  const wait = only(program, isWait) ?? only(program, isNewPromise);
  return { ...(result && { result: result.start }), ...(wait && { wait: wait.start }) };
}

/** What is declared beside a statement, by name. */
type Functions = ReadonlyMap<unknown, AnyNode>;

/** What the last statement of a program comes to: through the functions that are called for it, each of them once, as one may return itself. */
function resultIn(node: unknown, around: Functions, entered: Set<AnyNode>): AnyNode | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'ExpressionStatement') return resultIn(node.expression, around, entered);
  const called = node.type === 'Identifier' ? around.get(node.name) : node;
  if (!isFunction(called)) return called ?? node;
  if (entered.has(called)) return undefined;
  entered.add(called);
  const body = called.body as AnyNode;
  return body.type === 'BlockStatement'
    ? resultOf(body.body as AnyNode[], entered)
    : resultIn(body, around, entered);
}

function resultOf(statements: AnyNode[], entered: Set<AnyNode>): AnyNode | undefined {
  const returns = [...nodesIn(statements, isFunctionOrClass)].filter(isReturn);
  if (returns.length > 1) return undefined;
  const [returned] = returns;
  if (!returned) return undefined;
  const { argument } = returned;
  // The word before it may be ours.
  return resultIn(argument, functionsIn(statements), entered) ?? (isNode(argument) ? argument : returned);
}

function functionsIn(statements: AnyNode[]): Functions {
  const declared = statements.flatMap((node) =>
    node.type === 'VariableDeclaration' ? (node.declarations as AnyNode[]) : [node],
  );
  const functions = new Map<unknown, AnyNode>();
  for (const node of declared) {
    const { name } = (node.id ?? {}) as { name?: unknown };
    const named = [node, node.init].find(isFunction);
    if (named && !functions.has(name)) functions.set(name, named);
  }
  return functions;
}

function only(program: Program, wanted: (node: AnyNode) => boolean): AnyNode | undefined {
  const all = [...nodesIn(program)].filter(wanted);
  return all.length === 1 ? all[0] : undefined;
}

function isFunction(node: unknown): node is AnyNode {
  return isNode(node) && /Function/.test(node.type);
}

function isFunctionOrClass(node: AnyNode): boolean {
  return /Function|Class/.test(node.type);
}

function isReturn({ type }: AnyNode): boolean {
  return type === 'ReturnStatement';
}

function isWait(node: AnyNode): boolean {
  return node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await === true);
}

function isNewPromise({ type, callee }: AnyNode): boolean {
  return type === 'NewExpression' && (callee as { name?: unknown }).name === 'Promise';
}
