import { expect, test } from 'vitest';
import { TokenTable } from './token-table.ts';
import { eachToken } from './tokens.ts';

test('a token has the same number in every text, among thousands', () => {
  const table = new TokenTable();
  const words = Array.from({ length: 9_000 }, (_, position) => `w${position.toString(36)}`);
  const numbers: number[] = [];
  expect(table.numbersIn(words.join(' '), numbers)).toBe(9_000);
  expect(table.numbersIn(`(${words.join('), (')})`, numbers)).toBe(9_000);
  expect(numbers).toEqual(words.map((_, position) => position));
  expect(table.tokens).toEqual(words);
});

test('the table finds the same tokens as `eachToken`', () => {
  const text = 'listForRepo, 天气 weather_api/v2 — Überblick "a" 😀b';
  const cut: string[] = [];
  eachToken(text, (token) => cut.push(token));
  const table = new TokenTable();
  const numbers: number[] = [];
  const count = table.numbersIn(text, numbers);
  expect(numbers.slice(0, count).map((number) => table.tokens[number])).toEqual(cut);
});
