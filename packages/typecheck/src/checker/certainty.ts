import type { PossibleCall } from './call-at.ts';

/** A TypeScript diagnostic with its chain of reasons. */
export interface Diagnostic {
  code: number;
  text: string;
  messageChain?: readonly Diagnostic[] | undefined;
}

const notCallable = 2349;
const wrongCount = [2554, 2555];
const unknownField = [2353, 2561];
const missingField = [2739, 2740, 2741];
const notAssignable = [2322, 2345, 2559, 2820];

/**
 * Whether a call cannot work for any value. Types from documents are often imprecise, so much of what TypeScript
 * rejects works at run time: a string that is one of an enum's values, an object whose fields are added later, an id
 * that is documented as a number and arrives as a string. Only an error that is certain from the code as written stops
 * a run.
 */
export function isCertain(
  diagnostic: Diagnostic,
  { part, form }: Pick<PossibleCall, 'part' | 'form'>,
): boolean {
  if (wrongCount.includes(diagnostic.code)) return true;
  if (part === 'path') return diagnostic.code === notCallable;
  if (unknownField.includes(diagnostic.code)) return form !== 'undefined';
  const sentences = chainOf(diagnostic);
  const last = sentences.at(-1) ?? diagnostic;
  if (missingField.includes(last.code)) return form === 'whole object' && last === diagnostic;
  return notAssignable.includes(diagnostic.code) && (form === 'literal' || isPromise(last));
}

/** Whether it rejects a value as a whole and not one of its fields. */
export function isAboutValue({ code }: Diagnostic): boolean {
  return notAssignable.includes(code) || missingField.includes(code);
}

/** The messages of the chain, from the outermost to the reason. */
function chainOf(diagnostic: Diagnostic): Diagnostic[] {
  const chain: Diagnostic[] = [];
  for (let one: Diagnostic | undefined = diagnostic; one !== undefined; one = one.messageChain?.at(-1))
    chain.push(one);
  return chain;
}

const notFitting =
  /^(?:Argument of type|Type) '(.+?)' (?:is not assignable to (?:parameter of )?type|has no properties in common with type) '/s;

/** Whether `await` is missing. In a union, another member may be the actual type. */
function isPromise({ text }: Diagnostic): boolean {
  const actual = notFitting.exec(text)?.[1] ?? '';
  return actual.startsWith('Promise<') && !outline(actual).includes(' | ');
}

/** A type without the contents of objects, lists and names. */
function outline(type: string): string {
  let text = type.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(/\{[^{}]*\}|<[^<>]*>|\([^()]*\)\[\]|[\w"]+\[\]/g, '');
  }
  return text;
}
