import { Provider } from '@executor/protocol';
import { describe, expect, test } from 'vitest';
import data from './providers.json' with { type: 'json' };
import { authSchemesOf, findProviders, providersAt } from './providers.ts';

const kinds = ['openapi', 'mcp', 'graphql', 'google'].map((kind) => ({ kind }));
const providers = findProviders(kinds);

describe('The list of providers', () => {
  test.each(data.map((entry) => [entry.name, entry]))('%s is well formed', (_, entry) => {
    const provider = Provider.parse(entry);
    const { url, keyUrl, docsUrl, kind, auth, authKey, hosts = [] } = provider;
    for (const link of [url, keyUrl, docsUrl]) if (link !== undefined) expect(link).toMatch(/^https:\/\//);
    expect(kinds).toContainEqual({ kind });
    expect(authKey !== undefined).toBe(auth === 'apiKey');
    for (const host of hosts) expect(new URL(`https://${host}`).hostname).toBe(host);
  });

  test('has enough entries in every group, with unique names and URLs', () => {
    const unique = (values: string[]) => expect(new Set(values).size).toBe(values.length);
    unique(providers.map(({ name }) => name));
    unique(providers.map(({ url }) => url));
    unique(providers.map(({ title }) => title));
    expect(providers.length).toBeGreaterThanOrEqual(60);
    expect(providers.map(({ group }) => group)).toEqual(
      expect.arrayContaining(Provider.shape.group.options as string[]),
    );
  });
});

test('a query finds the providers that have all of its words', () => {
  const names = (query: string) => findProviders(kinds, query).map(({ name }) => name);
  expect(names('GitHub GraphQL')).toEqual(['github-graphql']);
  expect(names('payments mcp')).toEqual(['stripe-mcp']);
  expect(names('nothing like it')).toEqual([]);
});

test('only providers whose kind can be connected are listed', () => {
  expect(new Set(findProviders([{ kind: 'mcp' }]).map(({ kind }) => kind))).toEqual(new Set(['mcp']));
});

test('a provider is found by its exact URL, or else by the host of its API', () => {
  const names = (...urls: string[]) => providersAt(urls).map(({ name }) => name);
  expect(names('https://mcp.linear.app/mcp')).toEqual(['linear-mcp']);
  expect(names('https://api.github.com/repos')).toEqual(['github', 'github-graphql']);
  expect(names('https://raw.githubusercontent.com/other/api.json')).toEqual([]);
});

test('the credential of a provider is a way to authenticate', () => {
  const schemes = (wanted: string) => providers.filter(({ name }) => name === wanted).map(authSchemesOf);
  expect(schemes('github')).toEqual([[{ type: 'http', name: 'bearer', scheme: 'bearer' }]]);
  expect(schemes('circleci')).toEqual([
    [{ type: 'apiKey', name: 'apiKey', in: 'header', key: 'Circle-Token' }],
  ]);
  expect(schemes('petstore')).toEqual([[]]);
});
