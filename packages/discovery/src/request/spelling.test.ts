import { describe, expect, test } from 'vitest';
import { search, sourceOf, tool } from '../../test/searched-tools.ts';

const shop = [
  sourceOf('shop', [
    tool('GET /customers', 'customers.list', 'List customers'),
    tool('POST /customers', 'customers.create', 'Create a customer'),
    tool('GET /custom-fields', 'customFields.list', 'List custom fields'),
    tool('GET /tasks', 'tasks.list', 'List tasks'),
    tool('POST /tasks/{task_id}/complete', 'tasks.complete', 'Complete a task', ['task_id']),
    tool('GET /repositories', 'repositories.list', 'List repositories'),
    tool('DELETE /repositories/{id}', 'repositories.delete', 'Delete a repository', ['id']),
    tool('POST /merges', 'merges.create', 'Merge a pull request'),
    tool('GET /weather', 'weather.forecast', 'Get the weather forecast for a city', ['city']),
    tool('GET /units', 'units.list', 'List units'),
  ]),
];

describe('a request with mistakes', () => {
  test.each([
    ['lsit customers', 'shop.customers.list'],
    ['lst tasks', 'shop.tasks.list'],
    ['delete a reposiotry', 'shop.repositories.delete'],
    ['edlete a repository', 'shop.repositories.delete'],
    ['mrege a pul reqeust', 'shop.merges.create'],
    ['creat cusotmer', 'shop.customers.create'],
    ['forcast wiht city', 'shop.weather.forecast'],
  ])('finds its tool: %s', (query, path) => {
    expect(pathsFor(query)[0]).toBe(path);
  });

  test('is not corrected if it consists of English words', () => {
    expect(pathsFor('knit')).toEqual([]);
  });
});

describe('a request that fits in part', () => {
  test.each([
    ['delete customer', 'shop.customers.'],
    ['customer list pls', 'shop.customers.list'],
    ['gimme tasks', 'shop.tasks.list'],
    ['mark task as done', 'shop.tasks.complete'],
    ['weather in berlin', 'shop.weather.forecast'],
    ['weather in berlin next tuesday', 'shop.weather.forecast'],
  ])('has an answer in a small catalog too: %s', (query, path) => {
    expect(pathsFor(query).slice(0, 2).join()).toContain(path);
  });
});

function pathsFor(query: string): string[] {
  return search(shop, query, { limit: 5 }).found.map(({ path }) => path);
}
