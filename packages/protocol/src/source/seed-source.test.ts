import { describe, expect, test } from 'vitest';
import { seedSource } from './seed-source.ts';

const url = 'https://example.com/openapi.json';

describe('A source in all accepted notations', () => {
  test.each<[string, unknown, unknown]>([
    [
      'with a spec and approvals',
      {
        type: 'openapi',
        name: 'billing',
        spec: url,
        baseUrl: 'https://api.example.com',
        defaultReadApproval: 'auto',
        defaultWriteApproval: 'required',
      },
      {
        kind: 'openapi',
        name: 'billing',
        url,
        baseUrl: 'https://api.example.com',
        approval: { read: 'auto', write: 'required' },
      },
    ],
    [
      'with a specUrl beside its endpoint',
      {
        kind: 'openapi',
        endpoint: 'https://api.github.com',
        specUrl: url,
        name: 'GitHub',
        namespace: 'github',
      },
      { kind: 'openapi', url, baseUrl: 'https://api.github.com', name: 'GitHub', namespace: 'github' },
    ],
    [
      'with an endpoint alone',
      { endpoint: url, defaultApproval: 'auto' },
      { url, approval: { read: 'auto', write: 'auto' } },
    ],
    ['with the document inside', { spec: { openapi: '3.1.0' } }, { document: '{"openapi":"3.1.0"}' }],
    ['with the document as text', { spec: 'openapi: 3.1.0' }, { document: 'openapi: 3.1.0' }],
    [
      'in the notation of the API',
      { url, auth: { type: 'bearer', token: 't' } },
      { url, auth: { type: 'bearer', token: 't' } },
    ],
    [
      'with a static token',
      { url, auth: { mode: 'static', token: 't' } },
      { url, auth: { type: 'bearer', token: 't' } },
    ],
    [
      'with a static login',
      { url, auth: { mode: 'static', type: 'basic', username: 'a', password: 'b' } },
      { url, auth: { type: 'basic', username: 'a', password: 'b' } },
    ],
    [
      'with a static key',
      { url, auth: { mode: 'static', type: 'apiKey', header: 'X-Key', value: 'k' } },
      { url, auth: { type: 'apiKey', in: 'header', name: 'X-Key', value: 'k' } },
    ],
    [
      'with a key in the query',
      { url, auth: { type: 'apiKey', in: 'query', name: 'key', value: 'k' } },
      { url, auth: { type: 'apiKey', in: 'query', name: 'key', value: 'k' } },
    ],
  ])('%s', (_, seed, source) => {
    expect(seedSource(seed)).toEqual(source);
  });

  test.each<[unknown, string]>([
    [7, 'expected object'],
    [{ url, colour: 'red' }, 'colour'],
    [{ name: 'x' }, 'Pass either a url or a document'],
    [{ url, spec: 'openapi: 3.0.0' }, 'Pass either a url or a document'],
    [{ type: 'fax', url }, 'type: "fax" sources are not known yet; known: openapi'],
    [{ url, defaultApproval: 'maybe' }, 'defaultApproval: '],
    [{ url, auth: { mode: 'workspace' } }, 'auth.mode: "workspace" is not supported yet'],
    [{ url, auth: { mode: 'static' } }, 'auth.token: '],
    [{ url, auth: { type: 'bearer', token: 'a\nb' } }, 'auth.token: must be one line'],
    [{ url: 'ftp://x' }, 'url: must be an http or https address'],
    [{ url: 'https://user:pass@example.com' }, 'url: must not contain a user name or password'],
    [{ url, namespace: 'executor' }, 'namespace: must be none of'],
  ])('%j is rejected with the wrong field', (seed, problem) => {
    expect(() => seedSource(seed)).toThrow(problem);
  });
});
