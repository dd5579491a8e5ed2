import { describe, expect, test } from 'vitest';
import { readQuery } from './query.ts';

describe('a request is read', () => {
  test.each([
    'rooms with a rating of 4.4 or higher',
    'a table at 6:30 pm in Washington D.C. today',
    'an appointment with Dr. Smith',
    'open notes.md',
  ])('as one clause despite points inside of words: %s', (text) => {
    expect(readQuery(text).clauses).toBe(1);
  });

  test.each([
    ['Star it. Fork it.', 2],
    ['list the orders, refund the last one', 2],
    ['list orders;refund the last one', 2],
    ['查询天气。发送邮件', 2],
  ])('as separate sentences: %s', (text, clauses) => {
    expect(readQuery(text).clauses).toBe(clauses);
  });

  test.each([
    'a room from March 6th, 2019',
    'a room on 6 of March',
    'a room on 2019-03-06',
    'a room at 5:15 pm',
    'a room at 7 p.m. please',
    'a room in June 2027',
    'a room on 5/6/2019',
  ])('with dates and times as values: %s', (text) => {
    const { words } = readQuery(text);
    expect(words.filter(({ isValue }) => !isValue).map((word) => word.text)).toEqual(
      text.endsWith('please') ? ['room', 'please'] : ['room'],
    );
  });

  test('with a topic that ends with its clause', () => {
    const { words } = readQuery('find articles about elections in Germany, and print them');
    expect(words.filter(({ isTopic }) => isTopic).map(({ text }) => text)).toEqual(['elections', 'germany']);
  });

  test.each([
    'send the message "see you on March 6th at the office" and create an issue',
    'send the message “see you at 12:30 pm at the office” and create an issue',
    "send the message 'see you on 2019-03-06 at the office' and create an issue",
  ])('with a date inside of a quotation as a part of it: %s', (text) => {
    const { words, clauses } = readQuery(text);
    expect(clauses).toBe(2);
    expect(words.filter(({ isValue }) => !isValue).map((word) => word.text)).toEqual([
      'send',
      'message',
      'create',
      'issue',
    ]);
  });

  test('with a file name that contains a date as a file', () => {
    const { words } = readQuery('save the report to ./report-2019-03-06.pdf');
    expect(words.map(({ text }) => text)).toEqual(['save', 'report', 'save', 'pdf']);
  });

  test.each(['create a page titled "about us" for orders', 'list about 20 orders'])(
    'without a topic if `about` is quoted or precedes a number: %s',
    (text) => {
      expect(readQuery(text).words.filter(({ isTopic }) => isTopic)).toEqual([]);
    },
  );
});
