import { business } from './nouns/business.ts';
import { code } from './nouns/code.ts';
import { dailyLife } from './nouns/daily-life.ts';
import { files } from './nouns/files.ts';
import { knowledge } from './nouns/knowledge.ts';
import { learning } from './nouns/learning.ts';
import { media } from './nouns/media.ts';
import { people } from './nouns/people.ts';
import { places } from './nouns/places.ts';
import { systems } from './nouns/systems.ts';
import { talk } from './nouns/talk.ts';
import { trade } from './nouns/trade.ts';

/** Groups of nouns that many systems use as synonyms, by subject. `_` joins the words of a compound. */
export const nounGroups: string[] = [
  ...media,
  ...people,
  ...code,
  ...files,
  ...talk,
  ...trade,
  ...places,
  ...knowledge,
  ...systems,
  ...business,
  ...learning,
  ...dailyLife,
];
