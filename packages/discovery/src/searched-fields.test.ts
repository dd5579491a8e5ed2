import type { JsonSchema, Tool } from '@executor/engine';
import { expect, test } from 'vitest';
import { search, sourceOf, tool } from '../test/searched-tools.ts';

const definitions: Record<string, JsonSchema> = {
  Urgency: { type: 'string', description: 'How pressing it is', enum: ['critical', 'trivial'] },
  Address: { type: 'object', properties: { postcode: { type: 'string' } } },
};

const todos = sourceOf('todo', [
  withInput('todos.list', {
    priority: { $ref: '#/$defs/Urgency' },
    sort: { type: 'string', enum: ['alphabetical', 'newest'] },
    colour: {
      anyOf: [{ type: 'string', description: 'As on a palette', enum: ['magenta'] }, { type: 'null' }],
    },
    urgencies: { anyOf: [{ type: 'array', items: { enum: ['whenever'] } }, { type: 'null' }] },
    home: { $ref: '#/$defs/Address' },
  }),
  withInput('todos.create', {}),
  { ...withInput('forecast.get', {}), tags: ['meteorology', 'Climate Data'] },
]);

test.each([
  ['a parameter', 'priority', 'todo.todos.list'],
  ['a value', 'alphabetical', 'todo.todos.list'],
  ['a value of a shared type', 'critical', 'todo.todos.list'],
  ['the explanation of a shared type', 'pressing', 'todo.todos.list'],
  ['a parameter within a shared type', 'postcode', 'todo.todos.list'],
  ['a value of what may be null', 'magenta', 'todo.todos.list'],
  ['the explanation of what may be null', 'palette', 'todo.todos.list'],
  ['a value in a list that may be null', 'whenever', 'todo.todos.list'],
  ['a tag that is not in the path', 'meteorology', 'todo.forecast.get'],
])('a tool is found by %s', (_, query, path) => {
  expect(search([todos], query, { limit: 3 }).found[0]?.path).toBe(path);
});

function withInput(name: string, properties: Record<string, JsonSchema>): Tool {
  return {
    ...tool('GET /x', name, 'Does something', [], 'todo'),
    inputSchema: { type: 'object', properties },
    definitions: { get: (shared) => definitions[shared], tracksEvaluated: false },
  };
}
