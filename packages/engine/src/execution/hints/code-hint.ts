import type { CodeError } from '../../ports/sandbox.ts';
import { namedError } from './error-hint.ts';

/** Tools that models call without `tools.` in front. */
const ownTools = ['discover', 'describe', 'executor'];
const python =
  /^[ \t]*(?:def \w+\([^\n]*\)[^\n]*:|import \w+[ \t]*|from \w+ import [^\n'"]*|print\([^\n]*\)|(?:for \w+ in|if|while|try|with)\b[^\n{]*:)[ \t]*$/m;
const shell = /^\s*(?:\$ )?(?:curl|wget|gh|git|npm|npx|pip|python3?|bash|sh|ls|cat|echo|cd)\s+[\w\-.~/"'$]/;

/** The message of an error of the code, with the sentence that the code itself explains: results of calls are not needed for it. */
export function writtenMessage(
  error: Pick<CodeError, 'name' | 'message' | 'line' | 'column'>,
  code: string,
): string {
  const message = namedError(error, code);
  const hint = error.name === 'SyntaxError' ? languageHint(code) : nameHint(message, code);
  return hint === undefined ? message : `${message}${/[.!?]$/.test(message) ? '' : '.'} ${hint}`;
}

/** The expressions above take quadratic time in the length of a line. */
const maxChars = 2_000;

function languageHint(code: string): string | undefined {
  const beginning = code.slice(0, maxChars);
  if (shell.test(beginning)) return 'This looks like a shell command. Write TypeScript that calls `tools.*`.';
  return python.test(beginning) ? 'This looks like Python. Write TypeScript.' : undefined;
}

function nameHint(message: string, code: string): string | undefined {
  const name = /^([A-Za-z_$][\w$]{0,60}) is not defined$/.exec(message)?.[1];
  if (name === undefined) return undefined;
  if (ownTools.includes(name)) return `Write tools.${name}.`;
  if (name === 'execute' || name === 'resume')
    return `${name} is not a function of the code. Call tools.* and return the result.`;
  const own = name.replaceAll('$', String.raw`\$`);
  const call = new RegExp(String.raw`(?<![\w$.])${own}((?:\.[A-Za-z_$][\w$]{0,60}){1,6})\(`).exec(code)?.[1];
  if (call === undefined) return undefined;
  return `Tools are below \`tools\`: if ${name} is a namespace, write tools.${name}${call}(…).`;
}
