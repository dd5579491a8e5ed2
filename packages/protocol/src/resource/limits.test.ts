import { expect, test } from 'vitest';
import {
  limitNames,
  limitsOf,
  type ResourceName,
  resourceTable,
  type StoredResourceName,
  storedTable,
} from './limits.ts';

const names = Object.keys({ ...resourceTable, ...storedTable }) as (ResourceName | StoredResourceName)[];

test.each(names)('By default, agents leave a reserve of %s for people', (name) => {
  const { perKey, agents, total } = limitsOf(name);
  expect({ share: perKey <= agents, reserve: agents < total }).toEqual({ share: true, reserve: true });
});

test('Raising the limit of a key raises the wider limits with it', () => {
  expect(limitsOf('requests', { 'requests.perKey': 1_000 })).toEqual({
    perKey: 1_000,
    agents: 1_000,
    total: 1_000,
  });
  expect(limitsOf('requests', { 'requests.total': 10 })).toEqual({ perKey: 10, agents: 10, total: 10 });
});

test('Every limit has a name', () => {
  expect(limitNames()).toContain('answerBytes.perKey');
  expect(limitNames()).toHaveLength(names.length * 3 + 1);
});
