import type { CodeError } from '../../ports/sandbox.ts';
import { outlineOf } from './outline.ts';
import type { RunResults } from './run-results.ts';
import { listMethods, valueHint } from './value-hint.ts';
import { membersOf, originOf } from './value-origin.ts';

/** The errors of the engine that come from a wrong idea of what a tool returns. */
const notCallable = /^(?:(.+) is )?not a function$/;
const notIterable = /not iterable$/;
const ofNothing = /^cannot read property '([^']{1,100})' of (undefined|null)$/;

type Located = Pick<CodeError, 'name' | 'message' | 'line' | 'column'>;

/** The sentence that helps to fix an error of the code; undefined if the error says enough. */
export async function errorHint(
  error: Located,
  code: string,
  results: RunResults,
): Promise<string | undefined> {
  const { name, message } = error;
  if (name === 'SyntaxError' && /\bJSON\.parse\(/.test(lineOf(error, code)))
    return results.all.length > 0
      ? 'Results of tools are values, already parsed. Remove JSON.parse.'
      : undefined;
  if (name !== 'TypeError') return undefined;
  const expression = expressionAt(error, code);
  const property = ofNothing.exec(message)?.[1];
  if (property === undefined && !notCallable.test(message) && !notIterable.test(message)) return undefined;
  const { root, inline, members } = expression ?? { members: [] };
  if (root !== undefined && isCaught(root, code)) return errorFields(root);
  const origin = inline === undefined ? root && originOf(root, code) : { path: inline, members: [] };
  if (!origin) return latestResults(results);
  if (property !== undefined) {
    // The expression continues after the part that is undefined.
    const end = members.indexOf(property);
    const read = end === -1 ? members : members.slice(0, end);
    return valueHint({ ...origin, members: [...origin.members, ...read] }, results, { property });
  }
  const called = notCallable.test(message) ? members.at(-1) : undefined;
  const at = called === undefined ? members : members.slice(0, -1);
  const wanted = {
    ...(called !== undefined && { property: called }),
    isList: called === undefined || listMethods.includes(called),
  };
  return valueHint({ ...origin, members: [...origin.members, ...at] }, results, wanted);
}

/** `r.map is not a function` instead of the engine's `not a function`. */
export function namedError(error: Located, code: string): string {
  const { message, name } = error;
  if (name !== 'TypeError' || message !== 'not a function') return message;
  const { root, members } = expressionAt(error, code) ?? { members: [] };
  const callee = [...(root === undefined ? [] : [root]), ...members].join('.');
  return callee === '' ? message : `${callee.slice(0, 100)} is not a function`;
}

interface Expression {
  root?: string;
  /** The tool, if the expression starts with an awaited call in parentheses. */
  inline?: string;
  members: string[];
}

/** The expression at the position of an error. A call is reported at its parenthesis, and a property at its object. */
function expressionAt(error: Located, code: string): Expression | undefined {
  const line = lineOf(error, code);
  const { column = 1 } = error;
  if (notCallable.test(error.message)) {
    // A call without arguments is reported at the dot before its name.
    const rest = /^\s*(?:[?!]?\.\s*[A-Za-z_$][\w$]*\s*)+(?=\()/.exec(line.slice(column - 1))?.[0] ?? '';
    const before = textBefore(error, code) + rest;
    const inline = /\)\s*((?:[?!]?\.\s*[A-Za-z_$][\w$]*\s*)+)$/.exec(before);
    if (inline) {
      const path = [...before.matchAll(/\(\s*await\s+tools\.([\w$.]+)\s*\(/g)].at(-1)?.[1];
      return { ...(path !== undefined && { inline: path }), members: membersOf(inline[1]) };
    }
    const callee = /([A-Za-z_$][\w$]*)((?:\s*[?!]?\.\s*[A-Za-z_$][\w$]*)*)\s*$/.exec(before);
    return callee?.[1] ? { root: callee[1], members: membersOf(callee[2]) } : undefined;
  }
  const after = line.slice(column - 1);
  const found = /^([A-Za-z_$][\w$]*)((?:\s*[?!]?\.\s*[A-Za-z_$][\w$]*)*)/.exec(after);
  return found?.[1] ? { root: found[1], members: membersOf(found[2]) } : undefined;
}

const maxChars = 1_000;

function lineOf({ line = 1 }: Located, code: string): string {
  return (code.split('\n')[line - 1] ?? '').slice(0, maxChars);
}

/** The code up to the position. A chain of calls may begin on an earlier line. */
function textBefore({ line = 1, column = 1 }: Located, code: string): string {
  const lines = code.split('\n');
  const earlier = lines.slice(Math.max(0, line - 4), line - 1);
  return [...earlier, (lines[line - 1] ?? '').slice(0, column - 1)].join('\n').slice(-maxChars);
}

function isCaught(name: string, code: string): boolean {
  const own = name.replaceAll('$', String.raw`\$`);
  return new RegExp(String.raw`\bcatch\s{0,40}\(\s{0,40}(?:async\s{0,40})?\(?\s{0,40}${own}(?![\w$])`).test(
    code,
  );
}

function errorFields(name: string): string {
  return `An error of a tool has \`${name}.message\`, \`.status\`, \`.code\` and \`.details\`, and no \`response\`.`;
}

async function latestResults(results: RunResults): Promise<string | undefined> {
  const latest = await results.latest(2);
  if (latest.length === 0) return undefined;
  return `The code got: ${latest.map(({ path, value }) => `${path}: ${outlineOf(value)}`).join('; ')}.`;
}
