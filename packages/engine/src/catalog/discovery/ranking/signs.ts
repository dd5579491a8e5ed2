import type { SourceIndex } from '../index/source-index.ts';
import { anyIntent, flag } from '../index/tool-flags.ts';
import type { Concept, Request } from '../request/concepts.ts';
import type { Need } from '../request/needs.ts';
import { tuning } from './tuning.ts';

/** The kinds of actions that a need wants, as flags, and whether it has a verb. */
export interface WantedActions {
  intents: number;
  hasVerb: boolean;
}

/** A property that makes a tool more or less likely, besides its words. */
export type Sign = 'agree' | 'conflict' | 'unasked' | 'idle' | 'deprecated' | 'mine' | 'named';

export function wantedActions(need: Need, { concepts, query }: Request): WantedActions {
  let [intents, hasVerb, asks] = [0, false, false];
  for (const position of need.concepts) {
    const concept = concepts[position] as Concept;
    for (const intent of concept.intents) intents |= flag[intent];
    hasVerb ||= concept.isVerb;
    asks ||= [...concept.clauses].some((clause) => query.asking.has(clause));
  }
  return { intents: intents === 0 && !hasVerb && asks ? flag.read : intents, hasVerb };
}

/** The factor of a tool's signs for the score of its words. */
export function signFactor(tool: LocalTool, wanted: WantedActions, request: Request): number {
  let factor = 1;
  for (const sign of signsOf(tool, wanted, request)) factor *= tuning[sign];
  return factor;
}

/** A tool by its number in its source. */
interface LocalTool {
  index: SourceIndex;
  tool: number;
}

/** Compares the kind of action and the owner that the request wants with those of the tool. */
export function signsOf(
  { index, tool }: LocalTool,
  { intents, hasVerb }: WantedActions,
  { query, hasNames }: Request,
): Sign[] {
  const signs: Sign[] = [];
  const flags = index.data.flags[tool] as number;
  const does = flags & anyIntent;
  if (does !== 0) {
    if (intents !== 0) signs.push(does & intents ? 'agree' : 'conflict');
    else if (hasVerb && does === flag.read) signs.push('idle');
    else if (!hasVerb && !(does & flag.read)) signs.push('unasked');
  }
  if (query.isMine && flags & flag.mine) signs.push('mine');
  if (hasNames && index.finderTools.has(tool)) signs.push('named');
  if (flags & flag.deprecated) signs.push('deprecated');
  return signs;
}
