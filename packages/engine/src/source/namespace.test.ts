import { expect, test } from 'vitest';
import { freeNamespace, namespaceFromName, namespaceFromTitle, namespaceFromUrl } from './namespace.ts';

test('A title becomes a short identifier', () => {
  expect(
    [
      'GitHub v3 REST API',
      'Stripe API',
      "GitHub's official OpenAPI spec",
      "GitHub's official OpenAPI spec + Octokit extension",
      'Swagger Petstore - OpenAPI 3.0',
      'Slack Web API',
      'Google Drive API',
      'Déjà Vu',
      '1Password Connect',
      'API',
      '日本語',
      'constructor',
    ].map(namespaceFromTitle),
  ).toEqual([
    'github',
    'stripe',
    'github',
    'github',
    'petstore',
    'slack',
    'googleDrive',
    'dejaVu',
    '_1passwordConnect',
    undefined,
    undefined,
    undefined,
  ]);
});

test('A valid name is kept, and a host yields its main label', () => {
  expect(['billing', 'my_api', 'my-crm', 'GitHub', 'then', '__proto__'].map(namespaceFromName)).toEqual([
    'billing',
    'my_api',
    'myCrm',
    'github',
    undefined,
    'proto',
  ]);
  expect(
    [
      'https://api.github.com/x',
      'http://127.0.0.1:80',
      'http://[::1]/',
      'https://www.acme.test',
      'http://localhost:3',
    ].map(namespaceFromUrl),
  ).toEqual(['github', undefined, undefined, 'acme', 'localhost']);
  expect(freeNamespace('a', ['a', 'a2'])).toBe('a3');
});
