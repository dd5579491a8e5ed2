import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

test.each([
  ['prot', 'port'],
  ['prt', 'port'],
  ['pport', 'port'],
  ['PORT', 'port'],
  ['databseUrl', 'databaseUrl'],
  ['database_url', 'databaseUrl'],
  ['hosts', 'host'],
  ['colour', undefined],
  ['', undefined],
])('%j is taken for %j', (word, meant) => {
  expect(nearest(word, ['host', 'port', 'databaseUrl', 'logLevel'])).toBe(meant);
});
