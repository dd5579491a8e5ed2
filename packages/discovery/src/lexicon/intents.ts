import { stem } from '../text/stem.ts';
import { type Intent, verbFamilies } from './verbs.ts';

const verbs = new Set<string>();
const intents = new Map<string, Intent[]>();
const none: Intent[] = [];
/** The first words of a family have its intent. Later words also have other meanings. */
const wordsWithIntent = 8;

for (const { intent, words } of verbFamilies) {
  for (const [position, word] of words.split(' ').entries()) {
    verbs.add(stem(word));
    if (intent && position < wordsWithIntent) addIntent(stem(word), intent);
  }
}

/** The intents of a verb, or of the stem of a verb. */
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
