import type { PossibleCall } from './call-at.ts';
import type { Diagnostic } from './certainty.ts';

const unknownField = /'([^']{1,100})' does not exist in type '([\s\S]*?)'\.(?: Did|$)/;
const proposed = /Did you mean to write '([^']{1,100})'\?/;
const missingField = /^Property '([^']{1,100})' is missing in type /;
const wholeInput =
  /^Argument of type '([\s\S]{1,200})' is not assignable to parameter of type '|^Type '([\s\S]{1,200})' has no properties in common/;

/** A message of TypeScript about the input of a tool, in the words of the check at run time. Undefined if it has no shorter form. */
export function plainMessage(
  { text, messageChain }: Diagnostic,
  { part, field }: Pick<PossibleCall, 'part' | 'field'>,
): string | undefined {
  if (part !== 'input') return undefined;
  const [, unknown, type = ''] = unknownField.exec(text) ?? [];
  if (unknown !== undefined)
    return `${field} is unknown${suggestion(unknown, fieldNames(type), proposed.exec(text)?.[1])}`;
  const missing = missingField.exec(messageChain?.at(-1)?.text ?? text)?.[1];
  if (missing !== undefined) return `${field}.${missing} is missing`;
  const actual = field === 'input' ? wholeInput.exec(text)?.slice(1).find(Boolean) : undefined;
  if (actual !== undefined && scalars.includes(actual.replace(/^"[\s\S]*"$/, 'string')))
    return `input must be one object with named fields, but is ${actual.startsWith('"') ? 'a string' : `a ${actual}`}`;
  return undefined;
}

const scalars = ['string', 'number', 'boolean', 'string[]', 'number[]'];

function suggestion(name: string, known: string[], ownProposal?: string): string {
  const last = lastWord(name);
  const alike = ownProposal ?? known.find((one) => lastWord(one) === last);
  if (alike !== undefined) return `; did you mean ${alike}?`;
  return known.length > 0 && known.length <= 12 ? `; known are ${known.join(', ')}` : '';
}

/** The last word of `issue_number` and of `issueNumber` is `number`. */
function lastWord(name: string): string | undefined {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .at(-1);
}

/** The fields of an object type, without those of the objects inside. */
function fieldNames(type: string): string[] {
  if (!type.startsWith('{')) return [];
  const names: string[] = [];
  let depth = 0;
  for (const [token, name] of type.matchAll(
    /"(?:[^"\\]|\\.)*"(?!\??:)|[{}<>()[\]]|([A-Za-z_$][\w$]*)\??:/g,
  )) {
    if (name !== undefined && depth === 1 && !name.startsWith('$')) names.push(name);
    else if (/^[{<([]$/.test(token)) depth += 1;
    else if (/^[}>)\]]$/.test(token)) depth -= 1;
  }
  return names;
}
