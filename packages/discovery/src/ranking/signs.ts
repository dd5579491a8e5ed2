import { anyIntent, flag } from '../index/tool-flags.ts';
import type { Request } from '../request/concepts.ts';
import type { Need } from '../request/needs.ts';
import { tuning } from './tuning.ts';

/** A property that makes a tool more or less likely, besides its words and meaning. */
export type Sign = 'agree' | 'conflict' | 'deprecated';

/** The kinds of actions that a need wants, as flags. */
export function wantedActions(need: Need, { concepts, unknown, query }: Request): number {
  const own = [...concepts, ...unknown].filter((concept) => need.includes(concept));
  const intents = own.flatMap((concept) => concept.intents).reduce((all, intent) => all | flag[intent], 0);
  const asks = own.some(({ clauses }) => [...clauses].some((clause) => query.asking.has(clause)));
  return intents === 0 && asks && !own.some(({ isVerb }) => isVerb) ? flag.read : intents;
}

/** The factor of a tool's signs for its score. */
export function signFactor(flags: number, wanted: number): number {
  return signsOf(flags, wanted).reduce((factor, sign) => factor * tuning[sign], 1);
}

/** Compares the kind of action that the request wants with that of the tool. */
export function signsOf(flags: number, wanted: number): Sign[] {
  const signs: Sign[] = [];
  const does = flags & anyIntent;
  if (does !== 0 && wanted !== 0) signs.push(does & wanted ? 'agree' : 'conflict');
  if (flags & flag.deprecated) signs.push('deprecated');
  return signs;
}
