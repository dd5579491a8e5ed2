import { expect, test } from 'vitest';
import { nounGroups } from './nouns.ts';
import { emptyWords } from './stop-words.ts';

test('whatever several words say can be said in a request: none of them is left out of it', () => {
  const words = nounGroups.flatMap((group) => group.split(' ')).filter((member) => member.includes('_'));
  expect(words.filter((member) => member.split('_').some((word) => emptyWords.has(word)))).toEqual([]);
});
