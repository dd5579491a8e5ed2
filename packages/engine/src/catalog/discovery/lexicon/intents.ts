import { stem } from '../text/stem.ts';
import { type Intent, verbFamilies } from './verbs.ts';

/*
 * What verbs ask for, by their stems.
 */

const verbs = new Set<string>();
const intents = new Map<string, Intent[]>();
const none: Intent[] = [];
/** The first words of a family are its plainest; a word far down has other meanings. */
const plainest = 8;

for (const { intent, words } of verbFamilies) {
  for (const [place, word] of words.split(' ').entries()) {
    verbs.add(stem(word));
    if (intent && place < plainest) addIntent(stem(word), intent);
  }
}

/** What a verb may want, by the verb as it is written or its stem. */
export function intentsOf(word: string): readonly Intent[] {
  return intents.get(stem(word)) ?? none;
}

export function isVerb(word: string): boolean {
  return verbs.has(stem(word));
}

function addIntent(verb: string, intent: Intent): void {
  const known = intents.get(verb);
  if (known === undefined) intents.set(verb, [intent]);
  else if (!known.includes(intent)) known.push(intent);
}
