import type { ArrowFunctionExpression, ExpressionStatement, Node, Statement } from 'acorn';
import { type Parsed, parseScript } from './parse.ts';

/** Text that was inserted into a line, which moves the rest of the line to the right. */
interface Insertion {
  line: number;
  column: number;
  length: number;
}

export interface Returning {
  code: string;
  inserted?: Insertion;
}

/**
 * Makes statements return the value that the author meant: a final expression, or the only function that is declared and not used. Models
 * often omit the `return` or the call, and the result would be empty.
 */
export function returnMeant(code: string): Returning | Extract<Parsed, { type: 'failed' }> {
  const parsed = parseScript(code);
  if (parsed.type === 'failed') return parsed;
  const body = parsed.type === 'parsed' ? statementsOf(parsed.program.body.at(-1)) : undefined;
  const last = body?.at(-1);
  if (!body || !last) return { code };
  if (last.type === 'ExpressionStatement') return returnExpression(code, last, body.at(-2));
  const name = hasReturn(body) ? undefined : unusedFunction(code, body);
  const end = code.lastIndexOf('\n})');
  return { code: name === undefined ? code : `${code.slice(0, end)};return ${name}${code.slice(end)}` };
}

function statementsOf(statement: Node | undefined): Statement[] | undefined {
  const { expression } = (statement ?? {}) as ExpressionStatement;
  const { body } = (expression ?? {}) as ArrowFunctionExpression;
  return body?.type === 'BlockStatement' ? body.body : undefined;
}

/** The `return` is inserted at the end of the previous statement, where it moves nothing, unless both are on one line. */
function returnExpression(code: string, last: ExpressionStatement, before: Statement | undefined): Returning {
  const end = code[last.end - 1] === ';' ? last.end - 1 : last.end;
  const closed = `${code.slice(0, end)})${code.slice(end)}`;
  const after = before?.end ?? last.start;
  const word = before ? '; return (' : 'return (';
  if (code.slice(after, last.start).includes('\n'))
    return { code: closed.slice(0, after) + word + closed.slice(after) };
  const lines = code.slice(0, last.start).split('\n');
  return {
    code: closed.slice(0, last.start) + word + closed.slice(last.start),
    inserted: { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, length: word.length },
  };
}

/**
 * `main`, or the function of the last statement if all statements are declarations. Beside statements that act, an unused function may be a
 * leftover.
 */
function unusedFunction(code: string, body: Statement[]): string | undefined {
  const names = body.flatMap((statement) => functionName(statement) ?? []);
  const last = body.every(({ type }) => type.endsWith('Declaration')) ? body.at(-1) : undefined;
  const meant = names.find((name) => name === 'main') ?? (last && functionName(last));
  return meant !== undefined && code.split(wordOf(meant)).length === 2 ? meant : undefined;
}

function wordOf(name: string): RegExp {
  return new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
}

function functionName(statement: Statement): string | undefined {
  if (statement.type === 'FunctionDeclaration') return statement.id?.name;
  if (statement.type !== 'VariableDeclaration') return undefined;
  const [only, ...others] = statement.declarations;
  const isFunction = /^(ArrowFunction|Function)Expression$/.test(only?.init?.type ?? '');
  return isFunction && others.length === 0 && only?.id.type === 'Identifier' ? only.id.name : undefined;
}

/** Whether the statements have a `return` outside of nested functions. */
function hasReturn(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(hasReturn);
  const { type } = (node ?? {}) as { type?: unknown };
  if (typeof type !== 'string' || /Function|Class/.test(type)) return false;
  return type === 'ReturnStatement' || Object.values(node as object).some(hasReturn);
}
