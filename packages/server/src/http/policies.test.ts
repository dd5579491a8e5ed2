import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, startTestServer, type TestServer } from '../../test/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const person = (method: string, path: string, body?: unknown) =>
  call(server, method, path, { token: server.localToken, ...(body !== undefined && { body }) });

describe('policies over HTTP', () => {
  test('accept ask, and respond with requireApproval', async () => {
    const { status, json } = await person('POST', '/v1/policies', { pattern: 'notes.add', decision: 'ask' });
    expect({ status, decision: json.decision }).toEqual({ status: 201, decision: 'requireApproval' });
    await person('PATCH', `/v1/policies/${json.id}`, { decision: 'deny' });
    const changed = await person('PATCH', `/v1/policies/${json.id}`, { decision: 'ask' });
    expect(changed.json.decision).toBe('requireApproval');
    expect((await person('GET', '/v1/policies')).json.items).toMatchObject([{ decision: 'requireApproval' }]);
    const explained = await person('POST', '/v1/policies/explain', { path: 'notes.add', input: {} });
    expect(explained.json).toMatchObject({
      decision: 'requireApproval',
      reason: expect.stringContaining('says ask'),
    });
    await person('DELETE', `/v1/policies/${json.id}`);
  });

  test('are saved with warnings, or rejected for them with strict', async () => {
    const typo = { pattern: 'notes.ad', decision: 'deny', conditions: [{ field: 'n', lessThan: 5 }] };
    const warnings = ['No tool matches notes.ad. Did you mean notes.add?'];
    const refused = await person('POST', '/v1/policies', { ...typo, strict: true });
    expect(refused).toMatchObject({
      status: 400,
      json: { error: { code: 'invalidRequest', details: { warnings } } },
    });
    const saved = await person('POST', '/v1/policies', typo);
    expect(saved).toMatchObject({ status: 201, json: { ...typo, warnings } });
    const [listed] = (await person('GET', '/v1/policies')).json.items;
    const { warnings: _, ...rule } = saved.json;
    expect(listed).toEqual(rule);
    await person('DELETE', `/v1/policies/${listed.id}`);
  });

  test('accept every kind of condition, and no other', async () => {
    const field = 'amount';
    const conditions = [
      { field, equals: 1 },
      { field, notEquals: null },
      { field, oneOf: [1, 2] },
      { field, prefix: 'a' },
      { field, contains: { a: 1 } },
      { field, lessThan: 1.5 },
      { field, lessThanOrEqual: 2 },
      { field, greaterThan: 0 },
      { field, greaterThanOrEqual: -1 },
      { field, exists: false },
    ];
    const { json } = await person('POST', '/v1/policies', { pattern: '**', decision: 'deny', conditions });
    expect(json.conditions).toEqual(conditions);
    await person('DELETE', `/v1/policies/${json.id}`);
    for (const wrong of [
      { field, lessThan: '5' },
      { field, lessThan: 2 ** 53 },
      { field, lessThan: 1, greaterThan: 0 },
      { field, exists: 'yes' },
      { field, matches: 'x' },
      { field },
    ]) {
      const body = { pattern: '**', decision: 'deny', conditions: [wrong] };
      expect((await person('POST', '/v1/policies', body)).status, JSON.stringify(wrong)).toBe(400);
    }
  });
});
