import { expect, test } from 'vitest';
import { nounGroups } from './nouns.ts';
import { emptyWords } from './stop-words.ts';

test('no compound noun contains a stop word, which requests would lose', () => {
  const words = nounGroups.flatMap((group) => group.split(' ')).filter((member) => member.includes('_'));
  expect(words.filter((member) => member.split('_').some((word) => emptyWords.has(word)))).toEqual([]);
});
