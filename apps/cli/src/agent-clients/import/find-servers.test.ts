// biome-ignore-all lint/suspicious/noTemplateCurlyInString: agent programs write references like this
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { NewSource } from '@executor/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Machine } from '../agent-client.ts';
import { agentClients } from '../clients.ts';
import { findServers } from './find-servers.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'import-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const variables = { TOKEN: 'tok-1', REGION: 'eu' };
const machine = (): Machine => ({ platform: 'linux', home, env: variables, exists: existsSync });

function put(path: string, content: unknown): void {
  const full = join(home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, typeof content === 'string' ? content : JSON.stringify(content));
}

const find = () => findServers(agentClients, machine(), '/work/project');
const launch = { command: 'npx', args: ['-y', 'server'], env: { API_KEY: 'secret-1' } };
const stdio = {
  kind: 'mcp',
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'server'],
  env: { API_KEY: 'secret-1' },
};
const remote = { kind: 'mcp', url: 'https://mcp.test/mcp', auth: { type: 'bearer', token: 'secret-2' } };
const headers = { Authorization: 'Bearer secret-2' };

describe('The servers of each program are found', () => {
  test.each<[string, string, unknown]>([
    [
      'Claude Code',
      '.claude.json',
      { mcpServers: { a: { type: 'stdio', ...launch }, b: { type: 'http', url: remote.url, headers } } },
    ],
    [
      'Cursor',
      '.cursor/mcp.json',
      `// comments
      { "mcpServers": { "a": ${JSON.stringify(launch)}, "b": { "url": "${remote.url}", "headers": ${JSON.stringify(headers)}, }, }, }`,
    ],
    [
      'VS Code',
      '.config/Code/User/mcp.json',
      { servers: { a: launch, b: { type: 'http', url: remote.url, headers } } },
    ],
    [
      'Codex',
      '.codex/config.toml',
      `model = "x"
[mcp_servers.a]
command = "npx"
args = ["-y", "server"]
[mcp_servers.a.env]
API_KEY = "secret-1"
[mcp_servers.b]
url = "${remote.url}"
http_headers = { Authorization = "Bearer secret-2" }
`,
    ],
    [
      'OpenCode',
      '.config/opencode/opencode.json',
      {
        mcp: {
          a: { type: 'local', command: ['npx', '-y', 'server'], environment: launch.env, enabled: true },
          b: { type: 'remote', url: remote.url, headers },
        },
      },
    ],
    [
      'Gemini CLI',
      '.gemini/settings.json',
      { mcpServers: { a: launch, b: { httpUrl: remote.url, headers } } },
    ],
    [
      'Zed',
      '.config/zed/settings.json',
      {
        context_servers: {
          a: { source: 'custom', command: { path: 'npx', args: launch.args }, env: launch.env },
          b: { url: remote.url, headers },
        },
      },
    ],
    [
      'Windsurf',
      '.codeium/windsurf/mcp_config.json',
      { mcpServers: { a: launch, b: { serverUrl: remote.url, headers } } },
    ],
  ])('%s', (name, path, content) => {
    put(path, content);
    const { servers, problems } = find();
    expect(problems).toEqual([]);
    expect(servers.map(({ from, request }) => [from, request])).toEqual([
      [[name], { name: 'a', ...stdio }],
      [[name], { name: 'b', ...remote }],
    ]);
    for (const { request } of servers) expect(NewSource.parse(request)).toEqual(request);
    expect(servers.map(({ credentials }) => credentials)).toEqual([['API_KEY'], ['Authorization']]);
  });

  test('Claude Desktop, and the servers that Claude Code has for this project', () => {
    put('.config/Claude/claude_desktop_config.json', { mcpServers: { a: launch } });
    const projects = { '/work/project': { mcpServers: { b: launch, c: { url: remote.url } } } };
    put('.claude.json', {
      projects: { ...projects, '/other': { mcpServers: { d: { url: 'https://d.test' } } } },
    });
    expect(find().servers.map(({ name, from }) => [name, from])).toEqual([
      ['b', ['Claude Code', 'Claude Desktop']],
      ['c', ['Claude Code']],
    ]);
  });
});

describe('A secret', () => {
  const only = (entry: unknown) => {
    put('.cursor/mcp.json', { mcpServers: { x: entry } });
    return find().servers[0];
  };

  test('in a variable, a header or the query of the URL becomes a credential, and is not shown', () => {
    const found = only({
      url: 'https://x.test/mcp?api_key=secret-3&team=a',
      headers: { 'X-Key': '${env:TOKEN}' },
    });
    expect(found?.request).toEqual({
      kind: 'mcp',
      name: 'x',
      url: 'https://x.test/mcp?team=a',
      auth: { type: 'schemes', schemes: {}, headers: { 'X-Key': 'tok-1' }, query: { api_key: 'secret-3' } },
    });
    const { request: _, identity: __, ...shown } = found ?? {};
    expect(JSON.stringify(shown)).not.toMatch(/secret|tok-1/);
    expect(only({ url: 'https://x.test', headers: { Authorization: 'Token t' } })?.request).toMatchObject({
      auth: { type: 'headers', headers: { Authorization: 'Token t' } },
    });
  });

  test.each([
    [['--api-key', 'abc']],
    [['--api-key=abc']],
    [['--header', 'Authorization: Token abc']],
    [['sk-abc']],
    [['--value', '${TOKEN}']],
  ])('among the arguments %j is refused, because settings are not secret', (args) => {
    const found = only({ command: 'run', args });
    expect(found).toMatchObject({ shown: 'run', problem: expect.stringContaining('contain a secret') });
    expect(found).not.toHaveProperty('request');
  });

  test('that an argument only names is allowed', () => {
    const args = ['--key-file', '/etc/key', '--region', '${REGION}', '--header', 'X: ${AUTH}'];
    expect(only({ command: 'run', args, env: { AUTH: 'a' } })?.request).toMatchObject({
      args: ['--key-file', '/etc/key', '--region', 'eu', '--header', 'X: ${AUTH}'],
      env: { AUTH: 'a' },
    });
  });
});

test('entries that cannot be added say why, and Executor itself is left out', () => {
  put('.cursor/mcp.json', {
    mcpServers: {
      executor: launch,
      off: { ...launch, disabled: true },
      asks: { url: 'https://a.test', headers: { X: '${input:key}' } },
      needs: { url: 'https://${NOWHERE}/' },
      empty: {},
      odd: 7,
      default: { url: 'https://${NOWHERE:-b.test}/' },
    },
  });
  expect(find().servers.map(({ name, problem, request }) => [name, problem ?? request])).toEqual([
    ['off', 'it is turned off there'],
    ['asks', 'that program fills in ${input:key}'],
    ['needs', 'it needs the environment variable NOWHERE'],
    ['empty', 'it has neither a URL nor a command'],
    ['default', { kind: 'mcp', name: 'default', url: 'https://b.test/' }],
  ]);
});

test('a broken file does not hide the others', () => {
  put('.cursor/mcp.json', '{ "mcpServers": ');
  put('.gemini/settings.json', { mcpServers: { a: launch } });
  const { servers, problems } = find();
  expect(servers).toHaveLength(1);
  expect(problems).toEqual([expect.stringContaining('it is not JSON')]);
});
