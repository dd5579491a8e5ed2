import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { parse as parseToml } from 'smol-toml';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TestHome } from './home.ts';
import { Terminal } from './terminal.ts';

const isLong = process.env.EXECUTOR_TEST_LONG === '1';

let home: TestHome;
/** The home folder in which clients are installed. */
let user: string;
beforeAll(() => {
  home = new TestHome({ PATH: '/nowhere' });
  user = join(home.path, 'user');
  home.env.HOME = user;
});
afterAll(async () => home[Symbol.asyncDispose]());
beforeEach(async () => {
  await home.run(['connect', '--undo', '--yes']);
  rmSync(user, { recursive: true, force: true });
  rmSync(join(home.path, 'data', 'connections.json'), { force: true });
  mkdirSync(user, { recursive: true });
});

function put(path: string, text: string): string {
  const full = join(user, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

const read = (path: string) => readFileSync(join(user, path), 'utf8');
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was written
const entryIn = (path: string, key: string): any =>
  (path.endsWith('.toml') ? parseToml(read(path)) : JSON.parse(read(path)))[key].executor;

async function run(client: Client, code: string): Promise<string> {
  const { content } = (await client.callTool({ name: 'execute', arguments: { code } })) as CallToolResult;
  await client.close();
  return content[0]?.type === 'text' ? content[0].text : '';
}

/** Starts the command of an entry, from a folder and with an environment that hold nothing it could use. */
async function startEntry(command: string, args: string[], env: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' });
  const transport = new StdioClientTransport({
    command,
    args,
    env: { PATH: '', HOME: '/', ...env },
    cwd: '/',
  });
  await client.connect(transport);
  return client;
}

/** A file that not even root can read. */
const unreadable = ['/proc/self/mem'].find((path) => existsSync(path));

/** Original files of clients of each format. */
const originals: Record<string, string> = {
  '.claude.json': '{\n  "numStartups": 41,\n  "projects": {}\n}\n',
  '.cursor/mcp.json': '{\n  // mine\n  "mcpServers": {\n    "a": { "command": "a" }, // keep\n  },\n}\n',
  '.codex/config.toml': '# mine\nmodel = "o"\n\n[mcp_servers.a]\ncommand = "a"',
  '.config/opencode/opencode.jsonc': '{ "theme": "x" }\n',
};

test('connect writes the files of the clients that it finds, and an undo restores them exactly', async () => {
  for (const [path, text] of Object.entries(originals)) put(path, text);
  mkdirSync(join(user, '.codeium/windsurf'), { recursive: true });
  const { items } = await home.json('connect', '--all', '--yes');
  expect(items.map(({ client, state }: { client: string; state: string }) => [client, state])).toEqual([
    ['claude-code', 'connected'],
    ['cursor', 'connected'],
    ['codex', 'connected'],
    ['opencode', 'connected'],
    ['windsurf', 'connected'],
  ]);
  expect(read('.cursor/mcp.json')).toContain('"a": { "command": "a" }, // keep\n');
  expect(read('.codex/config.toml').startsWith(originals['.codex/config.toml'] as string)).toBe(true);
  const again = await home.json('connect', '--all', '--yes');
  expect(again.items.every(({ state }: { state: string }) => state === 'unchanged')).toBe(true);

  const { command, args, env } = entryIn('.claude.json', 'mcpServers');
  expect(await run(await startEntry(command, args, env), 'return 1')).toBe('1');
  const toml = entryIn('.codex/config.toml', 'mcp_servers');
  expect(await run(await startEntry(toml.command, toml.args, toml.env), 'return 2')).toBe('2');
  const open = entryIn('.config/opencode/opencode.jsonc', 'mcp');
  const [program, ...rest] = open.command;
  expect(await run(await startEntry(program, rest, open.environment), 'return 3')).toBe('3');
  expect(await home.keys()).toMatchObject([{ name: 'executor mcp', kind: 'agent' }]);

  expect((await home.json('doctor')).checks).toContainEqual({
    name: 'agents',
    state: 'ok',
    message: 'connected: Claude Code, Cursor, Codex, OpenCode, Windsurf',
  });
  await home.json('connect', '--undo', '--yes');
  for (const [path, text] of Object.entries(originals)) expect(read(path), path).toBe(text);
  expect(existsSync(join(user, '.codeium/windsurf/mcp_config.json'))).toBe(false);
});

test('an undo keeps later changes of a client to its file', async () => {
  put('.claude.json', originals['.claude.json'] as string);
  await home.json('connect', 'claude-code', '--yes');
  const later = { ...JSON.parse(read('.claude.json')), numStartups: 42 };
  put('.claude.json', JSON.stringify(later, null, 2));
  expect((await home.json('connect', 'claude-code', '--yes')).items).toMatchObject([{ state: 'unchanged' }]);
  await home.json('connect', '--undo', 'claude-code', '--yes');
  expect(JSON.parse(read('.claude.json'))).toEqual({ numStartups: 42, projects: {} });
});

test('an undo keeps and reports an entry that was changed', async () => {
  put('.cursor/mcp.json', '{}');
  await home.json('connect', 'cursor', '--yes');
  const changed = read('.cursor/mcp.json').replace('"mcp"', '"mcp", "--mine"');
  put('.cursor/mcp.json', changed);
  const undone = await home.run(['connect', '--undo', 'cursor', '--yes']);
  expect(undone).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('was changed after Executor wrote it, so it was not removed'),
  });
  expect(read('.cursor/mcp.json')).toBe(changed);
  const replaced = await home.run(['connect', 'cursor', '--yes']);
  expect(replaced.stdout).toContain('was changed after Executor wrote it. It will be replaced.');
  await home.json('connect', '--undo', 'cursor', '--yes');
  expect(read('.cursor/mcp.json')).toBe('{}');
  put('.cursor/mcp.json', '{}');
  expect((await home.json('connect', '--undo', 'cursor', '--yes')).items).toMatchObject([
    { state: 'absent' },
  ]);
});

test('an undo restores a replaced entry, even after the file changed and was written again', async () => {
  const foreign = '{ "command": "other", "timeout": 30 /* theirs */ }';
  put('.cursor/mcp.json', `{\n  "mcpServers": {\n    "executor": ${foreign}\n  }\n}\n`);
  put('.codex/config.toml', '[mcp_servers.executor]\ncommand = "other"\ntimeout = 30\n');
  const connected = await home.run(['connect', 'cursor', 'codex', '--yes']);
  expect(connected.stdout).toContain('this installation did not write');
  expect(connected.code).toBe(0);
  expect(entryIn('.codex/config.toml', 'mcp_servers').args).toContain('mcp');
  put('.codex/config.toml', `${read('.codex/config.toml')}\n[more]\n`);
  const changed = read('.cursor/mcp.json').replace('{', '{ "more": 1,').replace('"mcp"', '"mcp", "--mine"');
  put('.cursor/mcp.json', changed);
  await home.json('connect', 'cursor', '--yes');
  put('.cursor/mcp.json', read('.cursor/mcp.json').replace('"more": 1', '"more": 2'));
  const { items } = await home.json('connect', '--undo', '--yes');
  expect(read('.cursor/mcp.json')).toContain(`"executor": ${foreign}`);
  expect(read('.cursor/mcp.json')).toContain('"more": 2');
  expect(entryIn('.codex/config.toml', 'mcp_servers')).toEqual({ command: 'other', timeout: 30 });
  expect(items.map(({ backup }: { backup: string }) => existsSync(backup))).toEqual([true, true]);
});

test('a backup that an undo needs outlives the backups of other projects', async () => {
  put('.cursor/mcp.json', '{}');
  const { items } = await home.json('connect', 'cursor', '--yes');
  const folder = dirname(items[0].backup);
  for (let other = 0; other < 12; other++) writeFileSync(join(folder, `cursor_9${other}`), 'x');
  const project = join(home.path, 'another');
  mkdirSync(join(project, '.cursor'), { recursive: true });
  writeFileSync(join(project, '.cursor/mcp.json'), '{}');
  await home.run(['connect', 'cursor', '--project', '--yes'], {}, project);
  expect(existsSync(items[0].backup)).toBe(true);
  expect(existsSync(join(folder, 'cursor_90'))).toBe(false);
});

test('a file that cannot be parsed is rejected unchanged, and the other files are written', async () => {
  const malformed = '{ "mcpServers": { "a": } ';
  put('.cursor/mcp.json', malformed);
  put('.codex/config.toml', 'model = \n');
  put('.gemini/settings.json', '{}');
  chmodSync(put('.config/zed/settings.json', '{"theme":"x"}'), 0o444);
  if (unreadable) mkdirSync(join(user, '.codeium/windsurf'), { recursive: true });
  if (unreadable) symlinkSync(unreadable, join(user, '.codeium/windsurf/mcp_config.json'));
  const { code, stdout } = await home.run(['connect', '--all', '--yes', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).items).toMatchObject([
    { client: 'cursor', state: 'failed', error: { message: expect.stringContaining('line 1, column 24') } },
    { client: 'codex', state: 'failed', error: { code: 'invalidConfig' } },
    ...(unreadable
      ? [{ client: 'windsurf', error: { message: expect.stringContaining('cannot be read (') } }]
      : []),
    { client: 'gemini', state: 'connected' },
    { client: 'zed', state: 'failed', error: { message: expect.stringContaining('read-only') } },
  ]);
  expect(read('.cursor/mcp.json')).toBe(malformed);
  expect(read('.codex/config.toml')).toBe('model = \n');
  expect(read('.config/zed/settings.json')).toBe('{"theme":"x"}');
});

test('connect explains its options and writes nothing without --yes', async () => {
  mkdirSync(join(user, '.cursor'));
  const listed = await home.run(['connect']);
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringMatching(/cursor +yes +no/) });
  expect((await home.json('connect')).items).toHaveLength(9);
  const unsure = await home.run(['connect', 'cursor']);
  expect(unsure).toMatchObject({ code: 2, stderr: expect.stringContaining('add --yes') });
  const dry = await home.run(['connect', 'cursor', '--dry-run']);
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('+     "executor": {') });
  expect(existsSync(join(user, '.cursor/mcp.json'))).toBe(false);
  const mistakes: [string[], string][] = [
    [['curser'], 'Did you mean cursor?'],
    [['cursor', '--all'], 'not both'],
    [['claude-desktop', '--http'], 'Omit --http'],
    [['windsurf', '--project'], 'no file for a project'],
    [['cursor', '--project', '--http'], 'shared'],
    [['--print', '--undo'], '--print'],
    [['--undo', '--http'], '--undo'],
  ];
  const outcomes = await home.runSeveral(mistakes.map(([args]) => ['connect', ...args, '--yes']));
  for (const [index, [args, problem]] of mistakes.entries())
    expect(outcomes[index], args.join(' ')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(problem),
    });
  rmSync(join(user, '.cursor'), { recursive: true });
  const none = await home.run(['connect', '--all', '--yes']);
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('Windsurf') });
  expect((await home.run(['connect'])).stderr).toContain('No client was found');
  expect((await home.run(['connect', '--undo', '--yes'])).stdout).toContain('Nothing is connected');
});

test('--print prints an entry that works in other programs', async () => {
  const { stdout } = await home.run(['connect', '--print']);
  const { command, args, env } = JSON.parse(stdout).mcpServers.executor;
  expect(await run(await startEntry(command, args, env), 'return "printed"')).toBe('"printed"');
  const codex = await home.run(['connect', '--print', 'codex', '--http']);
  expect(codex.stdout).toContain('http_headers = { Authorization = "Bearer KEY" }');
  expect(codex.stderr).toContain('keys create NAME`');
  const dialog = await home.run(['connect', '--print', '--allow-dialog']);
  expect(dialog.stderr).toContain('keys create NAME --allow-dialog`');
});

test('--http writes a key of its own, and an undo revokes it', async () => {
  chmodSync(put('.cursor/mcp.json', '{"mcpServers":{"a":{}}}'), 0o644);
  const connected = await home.run(['connect', 'cursor', '--http', '--yes']);
  expect(connected.stderr).toContain('chmod 600');
  const { url, headers } = entryIn('.cursor/mcp.json', 'mcpServers');
  expect(connected.stdout + connected.stderr).not.toContain(headers.Authorization.slice('Bearer '.length));
  const open = async () => {
    const client = new Client({ name: 'agent', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    return client;
  };
  expect(await run(await open(), 'return 4')).toBe('4');
  expect((await home.json('connect', 'cursor', '--http', '--yes')).items).toMatchObject([
    { state: 'unchanged' },
  ]);
  const mine = async () => (await home.keys()).filter(({ name }) => name === 'Cursor');
  const [key] = await mine();
  expect(key).toMatchObject({ kind: 'agent' });
  await home.client.apiKeys.remove({ id: key?.id as string });
  expect((await home.json('connect', 'cursor', '--http', '--yes')).items).toMatchObject([
    { state: 'connected' },
  ]);
  const [other, ...more] = await mine();
  expect([other?.id === key?.id, more.length]).toEqual([false, 0]);
  await home.json('connect', '--undo', 'cursor', '--yes');
  expect(await mine()).toEqual([]);
  await expect(open()).rejects.toThrow();
  expect(read('.cursor/mcp.json')).toBe('{"mcpServers":{"a":{}}}');
});

test('--allow-dialog creates no key for a file that others can read or replace', async () => {
  const path = put('.cursor/mcp.json', '{}');
  chmodSync(path, 0o644);
  const connect = () => home.run(['connect', 'cursor', '--allow-dialog', '--yes']);
  const keys = async () => (await home.keys()).filter(({ name }) => name === 'Cursor');
  const refused = await connect();
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('other users of this machine can read it');
  expect(refused.stderr).toContain(`Run \`chmod 600 ${path}\`, or omit --allow-dialog.`);
  chmodSync(path, 0o600);
  chmodSync(dirname(path), 0o777);
  expect((await connect()).stderr).toContain(`Run \`chmod go-w ${dirname(path)}\``);
  expect([await keys(), read('.cursor/mcp.json')]).toEqual([[], '{}']);
  chmodSync(dirname(path), 0o755);
  expect((await connect()).code).toBe(0);
  expect(await keys()).toMatchObject([{ allowDialog: true }]);
});

test('connecting again does not restore a revoked dialog permission', async () => {
  chmodSync(put('.cursor/mcp.json', '{}'), 0o600);
  const first = await home.run(['connect', 'cursor', '--allow-dialog', '--yes']);
  expect(first.stdout).toContain('Its dialog may approve calls.');
  const ours = async () => (await home.keys()).filter(({ name }) => name === 'Cursor');
  const [key] = await ours();
  const again = await home.json('connect', '--all', '--yes');
  expect(again.items).toMatchObject([{ state: 'unchanged', dialog: true }]);
  await home.client.apiKeys.update({ id: key?.id as string, allowDialog: false });
  const withdrawn = await home.run(['connect', '--all', '--yes']);
  expect(withdrawn.stdout).not.toContain('may approve');
  // Without the permission the entry needs no key of its own.
  expect(await ours()).toEqual([]);
  expect(entryIn('.cursor/mcp.json', 'mcpServers').env).not.toHaveProperty('EXECUTOR_TOKEN');

  await home.json('connect', 'cursor', '--http', '--allow-dialog', '--yes');
  const [other] = await ours();
  expect(other).toMatchObject({ allowDialog: true });
  await home.client.apiKeys.remove({ id: other?.id as string });
  expect((await home.json('connect', 'cursor', '--http', '--yes')).items).toMatchObject([{ dialog: false }]);
  expect(await ours()).toMatchObject([{ allowDialog: false }]);
});

test('an agent cannot get a key if keys need a PIN', async () => {
  const own = new TestHome({ PATH: '/nowhere' });
  try {
    own.env.HOME = join(own.path, 'user');
    await own.json('up');
    await own.client.presence.update({ mode: 'pin', pin: '2468' });
    const refused = await own.run(['connect', 'cursor', '--http', '--yes']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('EXECUTOR_PIN') });
    expect(existsSync(join(own.path, 'user/.cursor/mcp.json'))).toBe(false);
    const allowed = await own.run(['connect', 'cursor', '--http', '--yes'], { EXECUTOR_PIN: '2468' });
    expect(allowed.code).toBe(0);
    const kept = await own.run(['connect', '--undo', 'cursor', '--yes']);
    expect(kept.code).toBe(1);
    expect(readFileSync(join(own.path, 'user/.cursor/mcp.json'), 'utf8')).toContain('Bearer');
  } finally {
    await own[Symbol.asyncDispose]();
  }
});

/** A server that creates and revokes keys, and records its requests. */
async function keyServer() {
  const asked: string[] = [];
  const respond = async (request: IncomingMessage): Promise<[number, unknown]> => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push(`${request.method} ${request.url} ${body}`);
    if (request.method === 'DELETE') return [204, undefined];
    if (request.method === 'GET') return [200, { items: [] }];
    const id = `key_${asked.length}`;
    const key = {
      id,
      name: 'x',
      kind: 'agent',
      hint: 'abcd',
      actorId: 'a',
      allowDialog: body.includes('"allowDialog":true'),
      createdAt: new Date().toISOString(),
    };
    return [201, { ...key, key: `exa_made_${asked.length}` }];
  };
  const server = createServer((request, response) => {
    respond(request).then(([status, body]) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    asked,
    url,
    env: { EXECUTOR_URL: url, EXECUTOR_TOKEN: 'person_key' },
    close: () => server.close(),
  };
}

test("another server and the dialog get a new key, and the user's own key is not written", async () => {
  const server = await keyServer();
  try {
    chmodSync(put('.cursor/mcp.json', '{}'), 0o600);
    const { code } = await home.run(['connect', 'cursor', '--allow-dialog', '--yes'], server.env);
    expect(code).toBe(0);
    expect(server.asked).toEqual(['POST /v1/api-keys {"name":"Cursor","kind":"agent","allowDialog":true}']);
    expect(entryIn('.cursor/mcp.json', 'mcpServers').env).toMatchObject({
      EXECUTOR_URL: server.url,
      EXECUTOR_TOKEN: 'exa_made_1',
    });
    const kept = ['connections.json'].map((name) => readFileSync(join(home.path, 'data', name), 'utf8'));
    expect(read('.cursor/mcp.json') + kept).not.toContain('person_key');
    expect(kept.join()).not.toContain('exa_made');
    const elsewhere = await home.run(['connect', '--undo', 'cursor', '--yes']);
    expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining(server.url) });
    expect((await home.run(['connect', '--undo', 'cursor', '--yes'], server.env)).code).toBe(0);
    expect(server.asked.at(-1)).toBe('DELETE /v1/api-keys/key_1 ');
    expect(read('.cursor/mcp.json')).toBe('{}');
  } finally {
    server.close();
  }
});

test('a key of a previous server is recorded until it is revoked', async () => {
  const [first, second] = [await keyServer(), await keyServer()];
  try {
    put('.cursor/mcp.json', '{}');
    await home.run(['connect', 'cursor', '--yes'], first.env);
    const moved = await home.run(['connect', 'cursor', '--yes'], second.env);
    expect(moved).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`set EXECUTOR_URL to ${first.url}`),
    });
    expect(moved.stderr).toContain('key_1');
    const early = await home.run(['connect', '--undo', 'cursor', '--yes'], second.env);
    expect(early).toMatchObject({ code: 2, stderr: expect.stringContaining(first.url) });
    expect(read('.cursor/mcp.json')).toContain(second.url);
    // It revokes the key of this server and reports the other one.
    const there = await home.run(['connect', '--undo', 'cursor', '--yes'], first.env);
    expect(there).toMatchObject({ code: 2, stderr: expect.stringContaining(second.url) });
    expect(first.asked.at(-1)).toBe('DELETE /v1/api-keys/key_1 ');
    expect((await home.run(['connect', '--undo', 'cursor', '--yes'], second.env)).code).toBe(0);
    expect(read('.cursor/mcp.json')).toBe('{}');
  } finally {
    first.close();
    second.close();
  }
});

test('a key is revoked at once if its entry cannot be written', async () => {
  const server = await keyServer();
  try {
    chmodSync(put('.cursor/mcp.json', '{}'), 0o444);
    const { code } = await home.run(['connect', 'cursor', '--yes'], server.env);
    expect([code, server.asked.map((line) => line.split(' ')[0])]).toEqual([1, ['POST', 'DELETE']]);
  } finally {
    server.close();
  }
});

test("concurrent commands keep each other's changes", async () => {
  put('.cursor/mcp.json', '{}');
  const names = ['cursor', 'codex', 'gemini', 'vscode', 'zed', 'windsurf'];
  const outcomes = await Promise.all(
    [...names, 'cursor'].map((name) => {
      const args = ['connect', name, '--yes'];
      return isLong ? home.startProcess(args).ended : home.run(args);
    }),
  );
  // Two commands write the same file. The second one finds it done, or fails because it changed meanwhile.
  expect(outcomes.slice(1, -1).map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
  expect([outcomes[0]?.code, outcomes.at(-1)?.code]).toContain(0);
  const connected = (await home.json('connect')).items.filter(
    ({ connected }: { connected: boolean }) => connected,
  );
  expect(connected.map(({ client }: { client: string }) => client).sort()).toEqual(names.toSorted());
  expect(statSync(join(home.path, 'data', 'connections.json')).mode & 0o777).toBe(0o600);
  expect(Object.keys(JSON.parse(read('.cursor/mcp.json')).mcpServers)).toEqual(['executor']);
});

test('--project writes a file in the project', async () => {
  const project = join(home.path, 'project');
  mkdirSync(project, { recursive: true });
  const inProject = (args: string[]) => home.run(['connect', ...args, '--project', '--yes'], {}, project);
  expect((await inProject(['claude-code', 'codex'])).code).toBe(0);
  expect(JSON.parse(readFileSync(join(project, '.mcp.json'), 'utf8')).mcpServers.executor.type).toBe('stdio');
  expect(existsSync(join(user, '.claude.json'))).toBe(false);
  expect((await inProject(['--undo'])).code).toBe(0);
  expect([existsSync(join(project, '.mcp.json')), existsSync(join(project, '.codex/config.toml'))]).toEqual([
    false,
    false,
  ]);
});

test('doctor reports a client whose program is gone, and a list that cannot be read', async () => {
  await home.json('connect', 'cursor', '--yes');
  const list = join(home.path, 'data', 'connections.json');
  const agents = async () => {
    const { stdout } = await home.run(['doctor', '--json']);
    return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'agents');
  };
  writeFileSync(list, readFileSync(list, 'utf8').replace('main.js', 'moved.js'));
  expect(await agents()).toMatchObject({
    state: 'warning',
    message: expect.stringContaining('moved.js, which does not exist'),
    fix: expect.stringContaining('executor connect cursor'),
  });
  writeFileSync(list, 'nonsense');
  expect(await agents()).toMatchObject({ state: 'failed', message: expect.stringContaining(list) });
});

describe('at a terminal', () => {
  test('connect asks for the clients, shows the change, and allows no dialog by default', async () => {
    put('.cursor/mcp.json', '{\n  "\\u001b[31mred": "\u202e"\n}\n');
    const terminal = new Terminal(['connect'], { ...home.env, PATH: process.env.PATH });
    await terminal.until('Which agents should use Executor?');
    await terminal.until(/└/);
    terminal.type('\r');
    await terminal.until('own dialog approve calls?');
    await terminal.until(/└/);
    terminal.type('\r');
    const shown = await terminal.until('Write this?');
    expect(shown).toContain('"executor": {');
    expect(shown).not.toContain('EXECUTOR_TOKEN');
    await terminal.until(/└/);
    terminal.type('\r');
    expect(await terminal.exit).toBe(0);
    expect(terminal.raw).not.toContain('\u202e');
    expect(entryIn('.cursor/mcp.json', 'mcpServers').env).not.toHaveProperty('EXECUTOR_TOKEN');
  });

  test('connect offers to make a file with a key private', async () => {
    const path = put('.cursor/mcp.json', '{}\n');
    chmodSync(path, 0o644);
    const terminal = new Terminal(['connect', 'cursor', '--allow-dialog'], {
      ...home.env,
      PATH: process.env.PATH,
    });
    for (const question of ['Write this?', 'Make it readable by you only?']) {
      await terminal.until(question);
      await terminal.until(/└/);
      terminal.type('\r');
    }
    expect(await terminal.exit).toBe(0);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await home.run(['connect', 'cursor', '--undo', '--yes']);
  });
});
