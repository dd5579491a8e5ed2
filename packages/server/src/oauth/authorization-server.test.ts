import { describe, expect, test } from 'vitest';
import { newPair, type Pair, startIssuer } from '../../test/issuer.ts';
import { AuthorizationServer } from './authorization-server.ts';
import { fetchJson, NotServed } from './fetch-json.ts';
import { metadataAddresses } from './metadata.ts';
import { ProtectedResource } from './protected-resource.ts';
import { verifyToken } from './verify-token.ts';

const resource = 'https://executor.example/mcp';
const issuer = 'https://login.example';

/** A server with these documents only. */
function serverWith(documents: Record<string, unknown>, name = issuer) {
  const asked: string[] = [];
  const load = async (url: string) => {
    asked.push(url);
    if (url in documents) return documents[url];
    throw new NotServed(`${url} answers 404`);
  };
  return { asked, server: new AuthorizationServer({ issuer: name, fetchJson: load }) };
}

async function namedBy(server: AuthorizationServer): Promise<unknown> {
  const protectedResource = new ProtectedResource({
    server,
    clients: {} as never,
    publicUrl: 'https://e.example',
  });
  const metadata = await protectedResource.metadata({ host: '', localAddress: '', localPort: 0 });
  return metadata.authorization_servers;
}

describe('metadata', () => {
  const good = { issuer, jwks_uri: `${issuer}/keys`, token_endpoint: `${issuer}/token` };

  test('is read from the locations of OAuth and OpenID Connect', () => {
    expect(metadataAddresses('https://login.example/')).toEqual([
      'https://login.example/.well-known/oauth-authorization-server',
      'https://login.example/.well-known/openid-configuration',
    ]);
    expect(metadataAddresses('https://login.example/tenant/')).toEqual([
      'https://login.example/.well-known/oauth-authorization-server/tenant',
      'https://login.example/.well-known/openid-configuration/tenant',
      'https://login.example/tenant/.well-known/openid-configuration',
    ]);
  });

  test('of OpenID Connect is accepted and forwarded unchanged', async () => {
    const { server } = serverWith({ [`${issuer}/.well-known/openid-configuration`]: good });
    expect(await server.metadata()).toEqual(good);
  });

  test('may have an issuer with a slash at its end', async () => {
    const named = { ...good, issuer: `${issuer}/` };
    const { server } = serverWith({ [`${issuer}/.well-known/oauth-authorization-server`]: named });
    expect((await server.metadata()).issuer).toBe(`${issuer}/`);
    // Clients look for the metadata of the named issuer and compare the names exactly.
    expect(await namedBy(server)).toEqual([`${issuer}/`]);
    expect(await namedBy(serverWith({}).server)).toEqual([issuer]);
  });

  test.each([
    ['a document of something else', { hello: 'world' }],
    ['a document of another issuer', { ...good, issuer: 'https://other.example' }],
  ])('is read from the next location after %s', async (_, document) => {
    const { server } = serverWith({
      [`${issuer}/.well-known/oauth-authorization-server`]: document,
      [`${issuer}/.well-known/openid-configuration`]: good,
    });
    expect(await server.metadata()).toEqual(good);
  });

  test('is read from the next location if a server answers every path with a page', async () => {
    await using real = await startIssuer();
    real.state.page = '<!doctype html>';
    const found = new AuthorizationServer({ issuer: real.url });
    await expect(found.metadata()).rejects.toThrow(
      /oauth-authorization-server: not JSON, .*openid-configuration: not JSON/,
    );
    expect(real.state.requests).toHaveLength(2);
  });

  test.each([
    ['of another issuer', { ...good, issuer: 'https://evil.example' }, /"https:\/\/evil.example"/],
    ['without keys', { issuer }, /jwks_uri/],
    ['with keys over plain HTTP', { ...good, jwks_uri: 'http://login.example/keys' }, /https/],
    ['with keys of a file', { ...good, jwks_uri: 'file:///etc/passwd' }, /https/],
    ['that is no object', 'hello', /expected object/i],
  ])('%s is rejected', async (_, document, reason) => {
    const { server } = serverWith({ [`${issuer}/.well-known/oauth-authorization-server`]: document });
    await expect(server.metadata()).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(reason),
    });
  });

  test('that is missing is reported with the URLs that were tried', async () => {
    const { server, asked } = serverWith({});
    await expect(server.metadata()).rejects.toThrow(
      /no valid metadata \(.*oauth-authorization-server answers 404, .*openid-configuration answers 404\)/,
    );
    expect(asked).toHaveLength(2);
  });
});

describe('keys', () => {
  async function start() {
    const real = await startIssuer();
    const clock = { now: 0 };
    const server = new AuthorizationServer({ issuer: real.url, now: () => clock.now });
    const verify = (token: string) => verifyToken(token, { server, resource });
    const keyRequests = () => real.state.requests.filter((path) => path === '/keys').length;
    return { ...real, clock, verify, keyRequests };
  }

  test('are read with the first token, and not again for the next ones', async () => {
    await using one = await start();
    expect(one.state.requests).toEqual([]);
    const identity = { issuer: one.url, subject: 'ada', clientId: 'inspector' };
    for (let asked = 0; asked < 10; asked++) {
      expect(await one.verify(await one.sign(resource))).toEqual(identity);
    }
    expect(one.state.requests).toEqual(['/.well-known/oauth-authorization-server', '/keys']);
  });

  test('that are new are found, but not requested more often than allowed', async () => {
    await using one = await start();
    await one.verify(await one.sign(resource));
    const next = await newPair('two');
    one.state.keys = [next];
    one.clock.now = 31_000;
    await one.verify(await one.sign(resource));
    expect(one.keyRequests()).toBe(2);
    const unknown = await newPair('unknown');
    for (let asked = 0; asked < 10; asked++) {
      await expect(one.verify(await one.sign(resource, { key: unknown }))).rejects.toThrow(
        /not signed with a key/,
      );
    }
    expect(one.keyRequests()).toBe(2);
  });

  test('that were withdrawn are rejected after the next read', async () => {
    await using one = await start();
    const old = one.state.keys[0] as Pair;
    await one.verify(await one.sign(resource));
    one.state.keys = [await newPair('two')];
    one.clock.now = 11 * 60_000;
    await expect(one.verify(await one.sign(resource, { key: old }))).rejects.toThrow(/not signed with a key/);
  });

  test('are used for an hour during an outage, not longer', async () => {
    await using one = await start();
    const token = (seconds: number) =>
      one.sign(resource, { claims: { exp: Math.floor(Date.now() / 1_000) + seconds } });
    await one.verify(await token(60));
    one.state.isAway = true;
    one.clock.now = 59 * 60_000;
    await one.verify(await token(60));
    one.clock.now = 61 * 60_000;
    await expect(one.verify(await token(60))).rejects.toMatchObject({ code: 'unreachable' });
  });

  test('that match a token ambiguously are not tried', async () => {
    await using one = await start();
    one.state.keys = [one.state.keys[0] as Pair, await newPair('two')];
    const nameless = await one.sign(resource, { header: { kid: undefined as never } });
    await expect(one.verify(nameless)).rejects.toThrow(/kid/);
  });
});

describe('fetched documents', () => {
  test('are JSON of limited size from the exact URL', async () => {
    await using one = await startIssuer();
    await expect(fetchJson(`${one.url}/nothing`)).rejects.toThrow(/answers 404$/);
    one.state.metadata = { fill: 'x'.repeat(300_000) };
    const address = `${one.url}/.well-known/oauth-authorization-server`;
    await expect(fetchJson(address)).rejects.toThrow(/more than 262144 bytes/);
    await expect(fetchJson('http://127.0.0.1:9/')).rejects.toMatchObject({ code: 'unreachable' });
  });

  test('are not read from redirects', async () => {
    await using one = await startIssuer();
    one.state.redirect = `${one.url}/keys`;
    await expect(fetchJson(`${one.url}/moved`)).rejects.toThrow(/answers 302$/);
    expect(one.state.requests).toEqual(['/moved']);
  });
});
