import type { TypeProblem } from '@executor/engine';
import { type Node, NodeFlags, type SourceFile } from 'typescript/unstable/ast';
import { isCallExpression, isIdentifier, isVariableDeclaration } from 'typescript/unstable/ast/is';
import type { Project, Type } from 'typescript/unstable/async';
import { memberPath } from './member-path.ts';
import { assignedIn, asyncTests, bare, type ValueUse, valueUses } from './promise-uses.ts';
import { toolPath } from './tool-path.ts';
import { codeFile } from './virtual-files.ts';

type Checker = Project['checker'];

/** The number of TypeScript's sentence "Did you forget to use 'await'?". */
const forgottenAwait = 2773;

/** Whether the code may hold a promise: it calls a tool without `await`, or has an `async` function of its own. */
export function mayHoldPromises(code: string): boolean {
  // The first `async` belongs to the wrapper.
  return code.split(/\basync\b/).length > 2 || /(?<!\bawait[\s(]+)\btools\b/.test(code);
}

/**
 * The uses of a promise as if it were its value. TypeScript rejects some of them, but accepts promises in templates and conditions. A type
 * may be wrong if the code assigns to something that holds promises: after `p = await p`, the type of `p` is still a promise. So such code
 * has no certain problem of this kind.
 */
export async function promiseProblems(file: SourceFile, checker: Checker): Promise<TypeProblem[]> {
  const uses = valueUses(file);
  const promises = await promisesAmong(uses, checker);
  const tests = await testsOfLists(file, checker);
  if (promises.length + tests.length === 0 || (await assignsPromises(file, checker))) return [];
  const problems: TypeProblem[] = [];
  for (const use of promises) {
    if (use.kind === 'condition' && !(await isPlainCall(use.value, checker))) continue;
    problems.push(problemAt(use.value, sentence(use, file), file));
  }
  return [...problems, ...tests];
}

async function promisesAmong(uses: ValueUse[], checker: Checker): Promise<ValueUse[]> {
  if (uses.length === 0) return [];
  const types = await checker.getTypeAtLocation(uses.map(({ value }) => value));
  const known = new Map<number, boolean>();
  const promises: ValueUse[] = [];
  for (const [position, use] of uses.entries()) {
    const type = types[position];
    if (type === undefined) continue;
    const is = known.get(type.id) ?? (await isPromise(type));
    known.set(type.id, is);
    if (is) promises.push(use);
  }
  return promises;
}

async function isPromise(type: Type): Promise<boolean> {
  if (type.isUnionType()) {
    const members = (await type.getTypes()) ?? [];
    for (const member of members) if (!(await isPromise(member))) return false;
    return members.length > 0;
  }
  if (!type.isObjectType()) return false;
  const symbol = await type.getSymbol();
  return symbol?.name === 'Promise' && !symbol.declarations.some(({ path }) => path === codeFile);
}

async function assignsPromises(file: SourceFile, checker: Checker): Promise<boolean> {
  const targets = assignedIn(file);
  if (targets.length === 0) return false;
  for (const type of await checker.getTypeAtLocation(targets)) {
    if (type && (await checker.typeToString(type)).includes('Promise<')) return true;
  }
  return false;
}

/** A call of a tool, or a constant with its promise. Other expressions may have no value, and a condition may check that. */
async function isPlainCall(node: Node, checker: Checker): Promise<boolean> {
  const value = bare(node);
  if (isCallExpression(value)) {
    const path = memberPath(value.expression);
    return path !== undefined && (await toolPath(path, checker)) !== undefined;
  }
  if (!isIdentifier(value)) return false;
  const symbol = await checker.getSymbolAtLocation(value);
  const declared = await symbol?.valueDeclaration?.resolve();
  if (!declared || !isVariableDeclaration(declared) || !declared.initializer) return false;
  const isConstant = (declared.parent.flags & NodeFlags.Const) !== 0;
  return (
    isConstant && isCallExpression(bare(declared.initializer)) && isPlainCall(declared.initializer, checker)
  );
}

async function testsOfLists(file: SourceFile, checker: Checker): Promise<TypeProblem[]> {
  const problems: TypeProblem[] = [];
  for (const { list, method, callback } of asyncTests(file)) {
    const type = await checker.getTypeAtLocation(list);
    if (!type?.isObjectType() || !(await checker.isArrayLikeType(type))) continue;
    const message = `The callback of ${method} returns a promise, which always counts as true. Await all results first: await Promise.all(list.map(async …)).`;
    problems.push(problemAt(callback, message, file));
  }
  return problems;
}

const maxShown = 60;

function sentence({ value, kind, name }: ValueUse, file: SourceFile): string {
  const inner = bare(value);
  const text = file.text.slice(inner.getStart(file), inner.end);
  const shown = text.length > maxShown || text.includes('\n') ? 'The expression' : text;
  const awaited = shown === text ? text : '…';
  if (kind === 'property')
    return `${shown} is a promise, so it has no ${name}. Await it: (await ${awaited}).${name}`;
  return `${shown} is a promise, not its value. Await it: await ${awaited}`;
}

function problemAt(node: Node, message: string, file: SourceFile): TypeProblem {
  return { code: forgottenAwait, message, position: node.getStart(file), isCertain: true };
}
