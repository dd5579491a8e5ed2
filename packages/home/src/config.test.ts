import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryFolders } from '../test/temporary-folders.ts';
import { listConfig, loadConfig, setConfig } from './config.ts';
import { configPath } from './config-file.ts';
import type { Folders } from './folders.ts';

const defaults = {
  host: '127.0.0.1',
  port: 8788,
  databaseUrl: undefined,
  allowedHosts: [],
  publicUrl: undefined,
  authorizationServer: undefined,
  toolSources: [],
  drainSeconds: 60,
  limits: {},
  'discovery.model': undefined,
  logLevel: 'info',
};

describe('The configuration', () => {
  test('has the defaults if nothing is set', () => {
    expect(loadConfig({ folders: temporaryFolders(), env: {} })).toEqual(defaults);
  });

  test('prefers flags to the environment, and the environment to the file', () => {
    const folders = withFile({ port: 1, host: 'file', logLevel: 'warn' });
    const env = { EXECUTOR_PORT: '2', EXECUTOR_HOST: 'environment' };
    const entries = listConfig({ folders, env, flags: { port: '3' } });
    expect(entries.map(({ key, value, origin }) => ({ key, value, origin }))).toEqual([
      { key: 'host', value: 'environment', origin: 'environment' },
      { key: 'port', value: 3, origin: 'flag' },
      { key: 'databaseUrl', value: undefined, origin: 'default' },
      { key: 'allowedHosts', value: [], origin: 'default' },
      { key: 'publicUrl', value: undefined, origin: 'default' },
      { key: 'authorizationServer', value: undefined, origin: 'default' },
      { key: 'toolSources', value: [], origin: 'default' },
      { key: 'drainSeconds', value: 60, origin: 'default' },
      { key: 'limits', value: {}, origin: 'default' },
      { key: 'discovery.model', value: undefined, origin: 'default' },
      { key: 'logLevel', value: 'warn', origin: 'file' },
    ]);
  });

  test('accepts sources as a JSON array, and its errors do not repeat the text', () => {
    const load = (EXECUTOR_TOOL_SOURCES: string) =>
      loadConfig({ folders: temporaryFolders(), env: { EXECUTOR_TOOL_SOURCES } }).toolSources;
    expect(load('[{"name":"billing"},7]')).toEqual([{ name: 'billing' }, 7]);
    for (const text of ['{"token":"hush"}', '[{"token":"hush"}', 'hush']) {
      const { message } = thrownBy(() => load(text));
      expect(message).toBe('EXECUTOR_TOOL_SOURCES: must be a JSON array of sources.');
    }
  });

  test('accepts known limits, and its error lists their names', () => {
    const load = (EXECUTOR_LIMITS: string) =>
      loadConfig({ folders: temporaryFolders(), env: { EXECUTOR_LIMITS } }).limits;
    expect(load('{"requests.perKey": 5}')).toEqual({ 'requests.perKey': 5 });
    for (const text of [
      '[]',
      '{"requests": 5}',
      '{"requests.perKey": 0}',
      '{"requests.perKey": "5"}',
      '5',
      '{',
    ]) {
      expect(thrownBy(() => load(text)).message).toContain('Names: requests.perKey, requests.agents');
    }
  });

  test('accepts known language models, and its error names the nearest', () => {
    const load = (EXECUTOR_DISCOVERY_MODEL: string) =>
      loadConfig({ folders: temporaryFolders(), env: { EXECUTOR_DISCOVERY_MODEL } })['discovery.model'];
    expect(load('minilm')).toBe('minilm');
    expect(thrownBy(() => load('minilim')).message).toBe(
      'EXECUTOR_DISCOVERY_MODEL: must be minilm, got "minilim". Did you mean "minilm"?',
    );
    expect(thrownBy(() => load('gpt')).message).toBe('EXECUTOR_DISCOVERY_MODEL: must be minilm, got "gpt".');
  });

  test('accepts only an HTTP URL as the public URL', () => {
    const load = (EXECUTOR_PUBLIC_URL: string) =>
      loadConfig({ folders: temporaryFolders(), env: { EXECUTOR_PUBLIC_URL } }).publicUrl;
    expect(load('https://executor.example.com/')).toBe('https://executor.example.com');
    expect(thrownBy(() => load('javascript:alert(1)')).message).toContain(
      'must be an address such as https://',
    );
  });

  describe('reads an authorization server', () => {
    const load = (env: NodeJS.ProcessEnv) =>
      loadConfig({ folders: temporaryFolders(), env }).authorizationServer;

    test('from either variable, and prefers the first', () => {
      const url = 'https://login.example.com/tenant';
      expect(load({ MCP_AUTHORIZATION_SERVER: url })).toBe(url);
      expect(load({ MCP_AUTHORIZATION_SERVER_URL: url })).toBe(url);
      const both = { MCP_AUTHORIZATION_SERVER: url, MCP_AUTHORIZATION_SERVER_URL: 'https://other.example' };
      expect(load(both)).toBe(url);
      expect(() => load({ MCP_AUTHORIZATION_SERVER: '', MCP_AUTHORIZATION_SERVER_URL: 'x' })).toThrow(
        /^MCP_AUTHORIZATION_SERVER_URL: must be the address of an OAuth authorization server/,
      );
    });

    test('with plain HTTP only on this machine, and only as a valid issuer URL', () => {
      for (const url of [
        'http://127.0.0.1:9',
        'http://localhost:9/a',
        'http://[::1]:9',
        'https://a.example/',
      ])
        expect(load({ MCP_AUTHORIZATION_SERVER: url })).toBe(url);
      const wrong = [
        'http://login.example.com',
        'http://127.0.0.1.evil.example',
        'https://a.example?tenant=1',
        'https://a.example#x',
        'https://user:pass@a.example',
        'ftp://a.example',
        'login.example.com',
      ];
      for (const url of wrong) expect(() => load({ MCP_AUTHORIZATION_SERVER: url })).toThrow(/https/);
    });
  });

  test('treats an empty variable as unset', () => {
    expect(loadConfig({ folders: withFile({ port: 1 }), env: { EXECUTOR_PORT: '' } }).port).toBe(1);
  });

  test('reads comma-separated lists from the environment', () => {
    const env = { EXECUTOR_ALLOWED_HOSTS: 'a.example, b.example,' };
    expect(loadConfig({ folders: temporaryFolders(), env }).allowedHosts).toEqual(['a.example', 'b.example']);
  });

  test('suggests the nearest key for an unknown one', () => {
    expect(() => loadConfig({ folders: withFile({ prot: 1 }), env: {} })).toThrow(
      expect.objectContaining({
        code: 'invalidConfig',
        message: expect.stringContaining('Did you mean "port"?'),
        details: { key: 'prot', nearest: 'port' },
      }),
    );
  });

  test.each([
    ['a port that is not a number', { EXECUTOR_PORT: 'many' }, 'EXECUTOR_PORT: '],
    ['a port out of range', { EXECUTOR_PORT: '70000' }, 'got "70000"'],
    ['a level that does not exist', { EXECUTOR_LOG_LEVEL: 'loud' }, 'got "loud"'],
  ])('rejects %s and names the variable or value', (_, env, part) => {
    expect(() => loadConfig({ folders: temporaryFolders(), env })).toThrow(
      expect.objectContaining({ code: 'invalidConfig', message: expect.stringContaining(part) }),
    );
  });

  test('never repeats a database URL, which contains a password', () => {
    const url = 'mysql://me:geheim@db.example/x';
    for (const source of [
      { folders: temporaryFolders(), env: { EXECUTOR_DATABASE_URL: url } },
      { folders: withFile({ databaseUrl: url }), env: {} },
      { folders: withFile({ databaseUrl: { url } }), env: {} },
    ]) {
      const error = thrownBy(() => loadConfig(source));
      expect(error).toMatchObject({ code: 'invalidConfig' });
      expect(`${error.message}${JSON.stringify(error)}`).not.toContain('geheim');
    }
  });
});

describe('The file config.json', () => {
  test('can set and unset keys', () => {
    const folders = temporaryFolders();
    setConfig(folders, 'port', '9000');
    setConfig(folders, 'allowedHosts', 'a.example,b.example');
    expect(loadConfig({ folders, env: {} })).toEqual({
      ...defaults,
      port: 9000,
      allowedHosts: ['a.example', 'b.example'],
    });
    setConfig(folders, 'port', undefined);
    setConfig(folders, 'allowedHosts', undefined);
    expect(loadConfig({ folders, env: {} })).toEqual(defaults);
  });

  test('is readable by its owner only, and only its schema is beside it', () => {
    const folders = temporaryFolders();
    setConfig(folders, 'databaseUrl', 'postgres://me:geheim@db.example/x');
    expect(statSync(configPath(folders)).mode & 0o777).toBe(0o600);
    expect(readdirSync(folders.config).sort()).toEqual(['config.json', 'config.schema.json']);
    expect(JSON.parse(readFileSync(configPath(folders), 'utf8'))).toEqual({
      $schema: './config.schema.json',
      databaseUrl: 'postgres://me:geheim@db.example/x',
    });
  });

  test('is not written if the value is rejected', () => {
    const folders = withFile({ port: 1 });
    expect(() => setConfig(folders, 'port', 'many')).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(() => setConfig(folders, 'prot', '2')).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(JSON.parse(readFileSync(configPath(folders), 'utf8'))).toEqual({ port: 1 });
  });

  test.each([
    ['is not JSON', '{\n  "port": 1,\n  "host": oops\n}', 'line 3, column 11'],
    ['ends too early', '{"port": 1', 'line 1, column 11'],
    ['is empty', '', 'line 1, column 1'],
    ['is a list', '[1]', 'one JSON object'],
  ])('is reported with its position and a remedy if it %s', (_, text, part) => {
    const folders = withText(text);
    const error = thrownBy(() => loadConfig({ folders, env: {} }));
    expect(error).toMatchObject({ code: 'invalidConfig', details: { path: configPath(folders) } });
    expect(error.message).toContain(configPath(folders));
    expect(error.message).toContain(part);
    expect(error.message).toContain('Correct it, or move it away');
  });

  test('is not quoted in errors, because it may contain a password', () => {
    const folders = withText('{"databaseUrl": "postgres://me:geheim@db.example/x" oops}');
    expect(thrownBy(() => loadConfig({ folders, env: {} })).message).not.toContain('geheim');
  });

  test('is reported with the reason if it cannot be read', () => {
    const folders = temporaryFolders();
    mkdirSync(configPath(folders));
    expect(() => loadConfig({ folders, env: {} })).toThrow(
      expect.objectContaining({
        code: 'invalidConfig',
        message: expect.stringContaining('cannot be read (EISDIR)'),
      }),
    );
  });
});

function withFile(values: Record<string, unknown>): Folders {
  return withText(JSON.stringify(values));
}

function withText(text: string): Folders {
  const folders = temporaryFolders();
  writeFileSync(configPath(folders), text);
  return folders;
}

function thrownBy(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was thrown');
}
