import { describe, expect, test } from 'vitest';
import { readQuery } from './query.ts';

describe('a request is read', () => {
  test.each([
    'rooms with a rating of 4.4 or higher',
    'a table at 6:30 pm in Washington D.C. today',
    'an appointment with Dr. Smith',
    'open notes.md',
  ])('as one clause, whatever points there are in its words: %s', (text) => {
    expect(readQuery(text).clauses).toBe(1);
  });

  test.each([
    ['Star it. Fork it.', 2],
    ['list the orders, refund the last one', 2],
    ['查询天气。发送邮件', 2],
  ])('as the sentences that it has: %s', (text, clauses) => {
    expect(readQuery(text).clauses).toBe(clauses);
  });

  test.each([
    'a room from March 6th, 2019',
    'a room on 6 of March',
    'a room on 2019-03-06',
    'a room at 5:15 pm',
    'a room at 7 p.m. please',
    'a room in June 2027',
  ])('with a time as something to give to a tool: %s', (text) => {
    const { words } = readQuery(text);
    expect(words.filter(({ isValue }) => !isValue).map((word) => word.text)).toEqual(
      text.endsWith('please') ? ['room', 'please'] : ['room'],
    );
  });

  test('with what something is to be about as its topic, until the next thing is asked for', () => {
    const { words } = readQuery('find articles about elections in Germany, and print them');
    expect(words.filter(({ isTopic }) => isTopic).map(({ text }) => text)).toEqual(['elections', 'germany']);
  });
});
