import { describe, expect, test } from 'vitest';
import { type AgentClient, entryName, type Machine } from './agent-client.ts';
import { agentClients } from './clients.ts';
import { configEditorFor } from './config/config-editor-for.ts';
import { fileOf, isInstalled } from './detect.ts';

function machine(platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}, existing: string[] = []): Machine {
  const home = { linux: '/home/me', darwin: '/Users/me', win32: 'C:\\Users\\me' }[platform as 'linux'];
  return { platform, home, env, exists: (path) => existing.includes(path) };
}

const client = (id: string) => agentClients.find((one) => one.id === id) as AgentClient;

/** The file of each client on Linux, macOS and Windows. */
const files: Record<string, [linux: string, darwin: string, win32: string]> = {
  'claude-code': ['/home/me/.claude.json', '/Users/me/.claude.json', 'C:\\Users\\me\\.claude.json'],
  'claude-desktop': [
    '/home/me/.config/Claude/claude_desktop_config.json',
    '/Users/me/Library/Application Support/Claude/claude_desktop_config.json',
    'C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
  ],
  cursor: ['/home/me/.cursor/mcp.json', '/Users/me/.cursor/mcp.json', 'C:\\Users\\me\\.cursor\\mcp.json'],
  vscode: [
    '/home/me/.config/Code/User/mcp.json',
    '/Users/me/Library/Application Support/Code/User/mcp.json',
    'C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json',
  ],
  codex: [
    '/home/me/.codex/config.toml',
    '/Users/me/.codex/config.toml',
    'C:\\Users\\me\\.codex\\config.toml',
  ],
  opencode: [
    '/home/me/.config/opencode/opencode.json',
    '/Users/me/.config/opencode/opencode.json',
    'C:\\Users\\me\\.config\\opencode\\opencode.json',
  ],
  gemini: [
    '/home/me/.gemini/settings.json',
    '/Users/me/.gemini/settings.json',
    'C:\\Users\\me\\.gemini\\settings.json',
  ],
  zed: [
    '/home/me/.config/zed/settings.json',
    '/Users/me/.config/zed/settings.json',
    'C:\\Users\\me\\AppData\\Roaming\\Zed\\settings.json',
  ],
  windsurf: [
    '/home/me/.codeium/windsurf/mcp_config.json',
    '/Users/me/.codeium/windsurf/mcp_config.json',
    'C:\\Users\\me\\.codeium\\windsurf\\mcp_config.json',
  ],
};

test('Every client has its file on every platform', () => {
  expect(agentClients.map(({ id }) => id)).toEqual(Object.keys(files));
  for (const one of agentClients) {
    const paths = (['linux', 'darwin', 'win32'] as const).map((platform) => fileOf(one, machine(platform)));
    expect(paths, one.id).toEqual(files[one.id]);
  }
});

test('Environment variables that move the folder of a client are respected', () => {
  const moved: [string, NodeJS.ProcessEnv, string][] = [
    ['claude-code', { CLAUDE_CONFIG_DIR: '/c' }, '/c/.claude.json'],
    ['codex', { CODEX_HOME: '/c' }, '/c/config.toml'],
    ['opencode', { XDG_CONFIG_HOME: '/x' }, '/x/opencode/opencode.json'],
    ['opencode', { OPENCODE_CONFIG_DIR: '/o' }, '/o/opencode.json'],
    ['opencode', { OPENCODE_CONFIG: '/mine.json' }, '/mine.json'],
    ['vscode', { XDG_CONFIG_HOME: '/x' }, '/x/Code/User/mcp.json'],
    ['zed', { XDG_CONFIG_HOME: '/x' }, '/x/zed/settings.json'],
    ['zed', { XDG_CONFIG_HOME: 'relative' }, '/home/me/.config/zed/settings.json'],
  ];
  for (const [id, env, path] of moved) expect(fileOf(client(id), machine('linux', env)), id).toBe(path);
  const windows = machine('win32', { APPDATA: 'D:\\Roaming' });
  expect(fileOf(client('claude-desktop'), windows)).toBe('D:\\Roaming\\Claude\\claude_desktop_config.json');
});

test('The file that exists is chosen among several candidates', () => {
  const existing = '/home/me/.config/opencode/opencode.jsonc';
  expect(fileOf(client('opencode'), machine('linux', {}, [existing]))).toBe(existing);
  expect(fileOf(client('opencode'), machine('linux', {}, ['/p/opencode.jsonc']), '/p')).toBe(
    '/p/opencode.jsonc',
  );
});

test('Projects have their own file if the client supports one', () => {
  const paths = agentClients.map((one) => fileOf(one, machine('linux'), '/p'));
  expect(paths).toEqual([
    '/p/.mcp.json',
    undefined,
    '/p/.cursor/mcp.json',
    '/p/.vscode/mcp.json',
    '/p/.codex/config.toml',
    '/p/opencode.json',
    '/p/.gemini/settings.json',
    '/p/.zed/settings.json',
    undefined,
  ]);
});

test('A client is found by its files or by its command', () => {
  for (const one of agentClients) {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const [trace] = one.traces(machine(platform)) as [string];
      expect(isInstalled(one, machine(platform)), `${one.id} ${platform}`).toBe(false);
      expect(isInstalled(one, machine(platform, {}, [trace])), `${one.id} ${platform}`).toBe(true);
    }
    const [program] = one.programs;
    const PATH = '/usr/bin:/opt/bin';
    expect(isInstalled(one, machine('linux', { PATH }, [`/opt/bin/${program}`]))).toBe(true);
    const windows = machine('win32', { Path: 'C:\\bin;D:\\b' }, [`D:\\b\\${program}.cmd`]);
    expect(isInstalled(one, windows)).toBe(true);
  }
});

describe('The entry has the format of the client', () => {
  const launch = { command: '/usr/bin/node', args: ['/x/main.js', 'mcp'], env: { EXECUTOR_HOME: '/h' } };
  const plain = { command: '/usr/bin/node', args: ['/x/main.js', 'mcp'], env: { EXECUTOR_HOME: '/h' } };
  const endpoint = { url: 'http://127.0.0.1:8788/mcp', headers: { Authorization: 'Bearer k' } };
  const { url, headers } = endpoint;
  const local = { type: 'local', command: ['/usr/bin/node', '/x/main.js', 'mcp'] };
  const expected: Record<string, [key: string, stdio: object, http: object | undefined]> = {
    'claude-code': ['mcpServers', { type: 'stdio', ...plain }, { type: 'http', url, headers }],
    'claude-desktop': ['mcpServers', plain, undefined],
    cursor: ['mcpServers', { type: 'stdio', ...plain }, { url, headers }],
    vscode: ['servers', { type: 'stdio', ...plain }, { type: 'http', url, headers }],
    codex: ['mcp_servers', plain, { url, http_headers: headers }],
    opencode: [
      'mcp',
      { ...local, environment: { EXECUTOR_HOME: '/h' }, enabled: true },
      { type: 'remote', url, headers, enabled: true, oauth: false },
    ],
    gemini: ['mcpServers', plain, { httpUrl: url, headers }],
    zed: ['context_servers', plain, { url, headers }],
    windsurf: ['mcpServers', plain, { serverUrl: url, headers }],
  };
  for (const one of agentClients) {
    test(one.name, () => {
      const [key, stdio, http] = expected[one.id] as [string, object, object | undefined];
      expect(one.stdio(launch)).toEqual(stdio);
      expect(one.http?.(endpoint)).toEqual(http);
      expect(Object.keys(one.stdio({ ...launch, env: {} }))).not.toContain('env');
      const editor = configEditorFor(one, '/file');
      const written = editor.set('', one.stdio(launch));
      expect(editor.read(written)).toEqual(stdio);
      expect(written).toContain(one.format === 'toml' ? `[${key}.${entryName}]` : `"${key}": {`);
    });
  }
});
