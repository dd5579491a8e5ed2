import type { SourceIndex } from '../index/source-index.ts';
import { anyIntent, flag } from '../index/tool-flags.ts';
import type { Concept, Request } from '../request/concepts.ts';
import type { Need } from '../request/needs.ts';
import { tuning } from './tuning.ts';

/** What a need wants done: the flags of its verbs, and whether it has any. */
export interface WantedActions {
  intents: number;
  acts: boolean;
}

/** What speaks for a tool or against it beside its words. */
export type Sign = 'agree' | 'conflict' | 'unasked' | 'idle' | 'deprecated' | 'mine' | 'named';

export function wantedActions(need: Need, { concepts, query }: Request): WantedActions {
  let [intents, acts, asks] = [0, false, false];
  for (const place of need.concepts) {
    const concept = concepts[place] as Concept;
    for (const intent of concept.intents) intents |= flag[intent];
    acts ||= concept.isVerb;
    asks ||= [...concept.clauses].some((clause) => query.asking.has(clause));
  }
  return { intents: intents === 0 && !acts && asks ? flag.read : intents, acts };
}

/** How much the signs make of what a tool's words are worth. */
export function signFactor(tool: SignedTool, wish: WantedActions, request: Request): number {
  let factor = 1;
  for (const sign of signsOf(tool, wish, request)) factor *= tuning[sign];
  return factor;
}

/** A tool by its source and its number there. */
interface SignedTool {
  index: SourceIndex;
  tool: number;
}

/** Whether it does the kind of thing that is wanted, and for whom. */
export function signsOf(
  { index, tool }: SignedTool,
  { intents, acts }: WantedActions,
  { query, hasNames }: Request,
): Sign[] {
  const signs: Sign[] = [];
  const flags = index.data.flags[tool] as number;
  const does = flags & anyIntent;
  if (does !== 0) {
    if (intents !== 0) signs.push(does & intents ? 'agree' : 'conflict');
    else if (acts && does === flag.read) signs.push('idle');
    else if (!acts && !(does & flag.read)) signs.push('unasked');
  }
  if (query.isMine && flags & flag.mine) signs.push('mine');
  if (hasNames && index.finderTools.has(tool)) signs.push('named');
  if (flags & flag.deprecated) signs.push('deprecated');
  return signs;
}
