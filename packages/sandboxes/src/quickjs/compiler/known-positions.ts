import type { Program } from 'acorn';
import { type AnyNode, isNode, nodesIn } from './nodes-in.ts';

/** Positions in the text that was parsed. */
export interface KnownPositions {
  result?: number;
  wait?: number;
}

/**
 * Where the code returns its result and where it waits, if there is only one such position. Errors about a result or a promise that never
 * settles appear when no code is running, so they have no stack.
 */
export function findKnownPositions(program: Program): KnownPositions {
  const result = resultIn(program.body.at(-1), new Map(), new Set());
  const wait = only(program, isWait) ?? only(program, isNewPromise);
  return { ...(result && { result: result.start }), ...(wait && { wait: wait.start }) };
}

/** The functions that are declared beside a statement, by name. */
type Functions = ReadonlyMap<unknown, AnyNode>;

/**
 * The expression that the last statement of a program evaluates to. Calls are followed into their functions, each once, because a function
 * may return itself.
 */
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
  // The compiler may have inserted the `return`, so the argument's position is used.
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
