import { expect, test } from 'vitest';
import { sourceOf, tool } from '../../../../test/searched-tools.ts';
import type { Tool } from '../../../ports/source.ts';
import { search } from '../search.ts';

const hub = [
  tool('GET /repos/{owner}/{repo}/releases', 'releases.list', 'List releases', ['owner', 'repo'], 'hub'),
  tool(
    'PATCH /repos/{owner}/{repo}/releases/{release_id}',
    'releases.edit',
    'Edit a release',
    ['owner', 'repo', 'release_id'],
    'hub',
  ),
  tool('GET /versions', 'meta.versions', 'Get all versions', [], 'hub'),
  tool('GET /repos/{owner}/{repo}/keys', 'keys.all', 'All of them', ['owner', 'repo'], 'hub'),
  tool(
    'DELETE /repos/{owner}/{repo}/keys/{id}',
    'keys.remove',
    'Remove a deploy key',
    ['owner', 'repo', 'id'],
    'hub',
  ),
];

test('the tool that lists the resources of an HTTP path provides their ids, whatever its words are', () => {
  expect(providers('edit a release')).toEqual({ 'hub.releases.list': 'releas' });
  expect(providers('remove a deploy key')).toEqual({ 'hub.keys.all': 'key' });
});

test('a tool that returns a synonym of the resource is a provider if there is no other', () => {
  const [, edit, versions] = hub as [Tool, Tool, Tool];
  expect(providers('edit a release', [edit, versions])).toEqual({ 'hub.meta.versions': 'releas' });
});

test('a tool whose declared result has no identifying field is no provider', () => {
  const orders = tool('GET /orders', 'orders.list', 'List orders', [], 'hub');
  const cancel = tool('POST /cancellations', 'orders.cancel', 'Cancel an order', ['order_id'], 'hub');
  const returning = (properties: Record<string, object>): Tool => ({
    ...orders,
    outputSchema: { type: 'array', items: { type: 'object', properties } },
  });
  expect(providers('cancel', [returning({ total: {} }), cancel])).toEqual({});
  expect(providers('cancel', [returning({ id: {}, total: {} }), cancel])).toEqual({
    'hub.orders.list': 'order',
  });
});

test('providers of ids that nearly all tools need follow the other results', () => {
  const nouns = Array.from({ length: 24 }, (_, index) => `thing${String.fromCharCode(97 + index)}`);
  const many = [
    ...nouns.map((noun) =>
      tool(`POST /repos/{owner}/{repo}/${noun}s`, `${noun}.add`, `Add a ${noun}`, ['owner', 'repo'], 'hub'),
    ),
    tool('GET /user/repos', 'repos.mine', 'List repositories for the authenticated user', [], 'hub'),
    tool('GET /users', 'users.list', 'List users', [], 'hub'),
  ];
  const found = search([sourceOf('hub', many)], 'add a thinga', { limit: 10 }).found;
  expect(found[0]?.path).toBe('hub.thinga.add');
  expect(
    Object.fromEntries(found.flatMap(({ path, provides }) => (provides ? [[path, provides.resource]] : []))),
  ).toEqual({
    'hub.users.list': 'user',
    'hub.repos.mine': 'repositor',
  });
});

/** The providers of the best tool, by path. */
function providers(query: string, tools = hub): Record<string, string | undefined> {
  const { found } = search([sourceOf('hub', tools)], query, { limit: 10 });
  const best = found[0]?.path;
  return Object.fromEntries(
    found.flatMap(({ path, provides }) => (provides?.to === best ? [[path, provides?.resource]] : [])),
  );
}
