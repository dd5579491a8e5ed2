import { expect, test } from 'vitest';
import { findJsonMistake } from './json-mistake.ts';

test.each([
  ['', 1, 1],
  ['oops', 1, 1],
  ['{"a": 1', 1, 8],
  ['{"a": 1,}', 1, 9],
  ['{"a" 1}', 1, 6],
  ['{"a": "b}', 1, 7],
  ['{a: 1}', 1, 2],
  ['[1, 2 3]', 1, 7],
  ['[1, , 2]', 1, 5],
  ['{"a": 01}', 1, 8],
  ['{"a": [{"b": null}, tru]}', 1, 21],
  ['{"a": 1} x', 1, 10],
  ['{\n  "a": "é\\n\\u00e9",\n  "b": {},\n  "c": [],\n  d\n}', 5, 3],
  ["{\n  'a': 1\n}", 2, 3],
])('The first mistake of %j is in line %i, column %i', (text, line, column) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
  expect(findJsonMistake(text)).toEqual({ line, column });
});
