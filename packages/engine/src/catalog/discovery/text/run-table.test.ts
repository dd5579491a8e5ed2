import { expect, test } from 'vitest';
import { RunTable } from './run-table.ts';
import { eachRun } from './runs.ts';

test('a run has the same number in every text, among thousands', () => {
  const table = new RunTable();
  const words = Array.from({ length: 9_000 }, (_, position) => `w${position.toString(36)}`);
  const numbers: number[] = [];
  expect(table.numbersIn(words.join(' '), numbers)).toBe(9_000);
  expect(table.numbersIn(`(${words.join('), (')})`, numbers)).toBe(9_000);
  expect(numbers).toEqual(words.map((_, position) => position));
  expect(table.runs).toEqual(words);
});

test('the table finds the same runs as `eachRun`', () => {
  const text = 'listForRepo, 天气 weather_api/v2 — Überblick "a" 😀b';
  const cut: string[] = [];
  eachRun(text, (run) => cut.push(run));
  const table = new RunTable();
  const numbers: number[] = [];
  const count = table.numbersIn(text, numbers);
  expect(numbers.slice(0, count).map((number) => table.runs[number])).toEqual(cut);
});
