import type { PossibleCall } from './call-at.ts';

/** What TypeScript says, down to the reason behind it. */
export interface Said {
  code: number;
  text: string;
  messageChain?: readonly Said[] | undefined;
}

const notCallable = 2349;
const wrongCount = [2554, 2555];
const unknownField = [2353, 2561];
const missingField = [2739, 2740, 2741];
const notAssignable = [2322, 2345, 2559, 2820];

/**
 * Whether a call could not work whatever the values are. A type says what a value may be, and where it comes from a document or a variable
 * not even that, so that much of what TypeScript refuses works when it runs: a text that happens to be one of an enumeration, an object
 * that got its fields one after the other, an id that is documented as a number and comes as a text. Only what is wrong as it is written
 * stops a run.
 */
export function isCertain(said: Said, { part, written }: Pick<PossibleCall, 'part' | 'written'>): boolean {
  if (wrongCount.includes(said.code)) return true;
  if (part === 'path') return said.code === notCallable;
  if (unknownField.includes(said.code)) return written !== 'undefined';
  const sentences = chainOf(said);
  const last = sentences.at(-1) ?? said;
  if (missingField.includes(last.code)) return written === 'whole object' && last === said;
  return notAssignable.includes(said.code) && (written === 'literal' || isPromise(last));
}

/** Whether it says that a value is not what it should be, and not which of its fields is wrong. */
export function isAboutValue({ code }: Said): boolean {
  return notAssignable.includes(code) || missingField.includes(code);
}

/** From what is wrong down to why. */
function chainOf(said: Said): Said[] {
  const chain: Said[] = [];
  for (let one: Said | undefined = said; one !== undefined; one = one.messageChain?.at(-1)) chain.push(one);
  return chain;
}

const notFitting =
  /^(?:Argument of type|Type) '(.+?)' (?:is not assignable to (?:parameter of )?type|has no properties in common with type) '/s;

/** Somebody forgot to wait. Where it is one of several types, another one may be the one that comes. */
function isPromise({ text }: Said): boolean {
  const given = notFitting.exec(text)?.[1] ?? '';
  return given.startsWith('Promise<') && !outline(given).includes(' | ');
}

/** A type without what is inside of objects, lists and names. */
function outline(type: string): string {
  let text = type.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(/\{[^{}]*\}|<[^<>]*>|\([^()]*\)\[\]|[\w"]+\[\]/g, '');
  }
  return text;
}
