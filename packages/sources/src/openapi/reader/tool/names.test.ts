import { describe, expect, test } from 'vitest';
import { read } from '../../../../test/read.ts';
import type { PreviousTool } from '../../../reader/messages.ts';

type Operations = [route: string, operation?: object][];

function documentOf(operations: Operations) {
  const paths: Record<string, Record<string, object>> = {};
  for (const [route, operation] of operations) {
    const [method = '', path = ''] = route.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: { responses: {}, ...operation } };
  }
  return { openapi: '3.0.0', info: {}, paths };
}

async function pathsOf(
  operations: Operations,
  previous: PreviousTool[] = [],
): Promise<Record<string, string>> {
  const { tools } = await read(documentOf(operations), { previous });
  return Object.fromEntries(tools.map(({ path, origin }) => [`${origin.method} ${origin.path}`, path]));
}

const nameOf = async (route: string, operation?: object) =>
  Object.values(await pathsOf([[route, operation]]))[0];

describe('the path of a tool', () => {
  test.each([
    ['POST /x', { operationId: 'issues/create', tags: ['issues'] }, 'api.issues.create'],
    ['GET /x', { operationId: 'Pets_listPets', tags: ['pets'] }, 'api.pets.listPets'],
    ['GET /x', { operationId: 'petList', tags: ['Pets'] }, 'api.pets.list'],
    ['GET /x', { operationId: 'listPets', tags: ['pet store!'] }, 'api.petStore.listPets'],
    ['GET /x', { operationId: 'get_HTTPStatus-code', tags: ['a'] }, 'api.a.getHttpStatusCode'],
    ['GET /x', { operationId: 'UsersController_findAll', tags: ['users'] }, 'api.users.findAll'],
    ['GET /items/{item_id}', { operationId: 'read_item_items__item_id__get', tags: ['a'] }, 'api.a.readItem'],
    ['GET /users/{id}/posts', undefined, 'api.users.getUsersPosts'],
    ['GET /users/{id}', undefined, 'api.users.getUsersById'],
    ['DELETE /api/v2.1/users/{id}', undefined, 'api.users.deleteUsersById'],
    ['GET /', undefined, 'api.default.get'],
    ['GET /v1/{id}', undefined, 'api.default.getById'],
    ['GET /x', { operationId: '9f86d081884c7d65', tags: ['a'] }, 'api.a.getX'],
    ['GET /x', { operationId: '42', tags: ['a'] }, 'api.a.getX'],
    ['GET /x', { operationId: '获取用户', tags: ['用户'] }, 'api.用户.获取用户'],
    ['GET /пользователи/{id}', undefined, 'api.пользователи.getПользователиById'],
    ['GET /x', { operationId: 'найтиЗаказ', tags: ['Мой заказ'] }, 'api.мойЗаказ.найтиЗаказ'],
    ['GET /x', { operationId: '사용자_목록', tags: ['ガイド'] }, 'api.ガイド.사용자목록'],
    ['GET /x', { operationId: 'créerÉté', tags: ['Été'] }, 'api.ete.creerEte'],
    ['GET /x', { operationId: '2fa.enable', tags: ['2fa'] }, 'api._2fa.enable'],
    ['GET /x', { operationId: 'then', tags: ['constructor'] }, 'api.constructor_.then_'],
    ['GET /x', { operationId: '__proto__', tags: ['__proto__'] }, 'api.proto.proto'],
    ['GET /x', { operationId: 'to_JSON', tags: ['prototype'] }, 'api.prototype_.toJson'],
    ['GET /x', { operationId: 'delete', tags: ['new'] }, 'api.new.delete'],
    ['GET /x', { operationId: 'x', tags: 'y' }, 'api.x.x'],
    ['GET /x', { operationId: 5, tags: [5, null, 'z'] }, 'api.z.getX'],
  ])('%s %j: %s', async (route, operation, path) => {
    expect(await nameOf(route, operation)).toBe(path);
  });

  test('has the first and last words of a long name', async () => {
    const operationId = `start${'Middle'.repeat(40)}End`;
    const name = (await nameOf('GET /x', { operationId, tags: ['a'] })) ?? '';
    expect(name).toMatch(/^api\.a\.start(Middle)+End$/);
    expect(name.length).toBeLessThan(80);
  });
});

describe('paths of tools', () => {
  const clashing: Operations = [
    ['GET /a', { operationId: 'list', tags: ['t'] }],
    ['GET /a/b', { operationId: 'list', tags: ['t'] }],
    ['POST /a/b', { operationId: 'List', tags: ['t'] }],
    ['GET /users/posts'],
    ['GET /users/{id}/posts'],
    ['GET /users/{id}/posts/'],
  ];

  test('are unique regardless of case, and the shortest route gets the shortest one', async () => {
    expect(await pathsOf(clashing)).toEqual({
      'GET /a': 'api.t.list',
      'GET /a/b': 'api.t.getAB',
      'POST /a/b': 'api.t.postAB',
      'GET /users/posts': 'api.users.getUsersPosts',
      'GET /users/{id}/posts': 'api.users.getUsersByIdPosts',
      'GET /users/{id}/posts/': 'api.users.getUsersPosts2',
    });
  });

  test('do not depend on the order of the document', async () => {
    expect(await pathsOf(clashing.toReversed())).toEqual(await pathsOf(clashing));
  });

  test('are kept by their operations when the document changes', async () => {
    const { tools } = await read(documentOf(clashing));
    const changed: Operations = [
      ['GET /', { operationId: 'new', tags: ['t'] }],
      ['GET /a', { operationId: 'renamed', tags: ['other'] }],
      ['GET /moved', { operationId: 'kept', tags: ['t'] }],
      ['POST /a/b', { operationId: 'List', tags: ['t'] }],
    ];
    const previous = [
      ...tools,
      { path: 'api.t.mine', origin: { method: 'GET', path: '/old', operationId: 'kept' } },
      { path: 'elsewhere.t.x', origin: { method: 'GET', path: '/' } },
    ];
    expect(await pathsOf(changed, previous)).toEqual({
      'GET /': 'api.t.new',
      'GET /a': 'api.t.list',
      'GET /moved': 'api.t.mine',
      'POST /a/b': 'api.t.postAB',
    });
  });

  test('leaves out a group with the name of the namespace if the tools before do', async () => {
    const before = (path: string): PreviousTool => ({ path, origin: { method: 'GET', path: '/a' } });
    const operations: Operations = [
      ['GET /a', { operationId: 'a', tags: ['api'] }],
      ['GET /b', { operationId: 'b', tags: ['api'] }],
      ['GET /c', { operationId: 'orders', tags: ['api'] }],
      ['GET /d', { operationId: 'd', tags: ['orders'] }],
    ];
    expect(await pathsOf(operations, [before('api.a')])).toMatchObject({
      'GET /a': 'api.a',
      'GET /b': 'api.b',
    });
    expect(await pathsOf(operations, [before('api.api.a')])).toMatchObject({
      'GET /a': 'api.api.a',
      'GET /b': 'api.api.b',
    });
    const withGroup = [before('api.a'), { path: 'api.orders.d', origin: { method: 'GET', path: '/d' } }];
    expect(await pathsOf(operations, withGroup)).toMatchObject({ 'GET /c': 'api.api.orders' });
  });
});
