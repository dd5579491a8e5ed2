import type { ToolCall } from './call-at.ts';

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
 * Whether a call could not work whatever the values are. A type says what a value may be, so that much of what TypeScript refuses works
 * when it runs: a text that happens to be one of an enumeration, an object that got its fields one after the other, a date where a text
 * is wanted. Only what is wrong in any case stops a run.
 */
export function isCertain(said: Said, { part, isWhole }: ToolCall): boolean {
  if (wrongCount.includes(said.code)) return true;
  if (part === 'path') return said.code === notCallable;
  if (unknownField.includes(said.code)) return true;
  const sentences = chainOf(said);
  const last = sentences.at(-1) ?? said;
  if (missingField.includes(last.code)) return isWhole && last === said;
  return notAssignable.includes(said.code) && !sentences.some(isOneOfSeveral) && isOtherKind(last.text);
}

/** From what is wrong down to why. */
function chainOf(said: Said): Said[] {
  const chain: Said[] = [];
  for (let one: Said | undefined = said; one !== undefined; one = one.messageChain?.at(-1)) chain.push(one);
  return chain;
}

const notFitting =
  /^(?:Argument of type|Type) '(.+?)' (?:is not assignable to (?:parameter of )?type|has no properties in common with type) '(.+)'\./s;

/** Where what is given is of one of several types, another one may be the one that comes. */
function isOneOfSeveral({ text }: Said): boolean {
  return outline(notFitting.exec(text)?.[1] ?? '').includes(' | ');
}

/** Whether what is given has nothing in common with what is wanted, going by the names of the types in the sentence. */
function isOtherKind(sentence: string): boolean {
  const [, given = '', wanted = ''] = notFitting.exec(sentence) ?? [];
  if (given.startsWith('Promise<')) return true;
  const kind = kindOf(given);
  if (kind === undefined) return false;
  // A value that is written down is known, a type is not.
  return kind.isValue || !mayBe(kind.name, outline(wanted));
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

type Kind = { name: 'string' | 'number' | 'boolean'; isValue: boolean };

function kindOf(type: string): Kind | undefined {
  if (/^"(?:[^"\\]|\\.)*"$/s.test(type)) return { name: 'string', isValue: true };
  if (/^-?\d[\w.+-]*$/.test(type)) return { name: 'number', isValue: true };
  if (type === 'true' || type === 'false') return { name: 'boolean', isValue: true };
  return type === 'string' || type === 'number' || type === 'boolean'
    ? { name: type, isValue: false }
    : undefined;
}

/** Types that are only named, or cut, may be anything. */
function mayBe(name: Kind['name'], wanted: string): boolean {
  if (/\b[A-Z]\w*|\bany\b|\bunknown\b|\.\.\.|…/.test(wanted)) return true;
  if (name === 'string') return /"|`|\bstring\b/.test(wanted);
  if (name === 'number') return /(?<![\w"])-?\d|\bnumber\b/.test(wanted);
  return /\b(true|false|boolean)\b/.test(wanted);
}
