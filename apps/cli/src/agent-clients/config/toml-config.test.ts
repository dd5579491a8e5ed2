import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import type { Entry } from '../agent-client.ts';
import { tomlConfig } from './toml-config.ts';

const path = '/home/me/.codex/config.toml';
const config = tomlConfig('mcp_servers', path);
const entry: Entry = {
  command: '/usr/bin/node',
  args: ['C:\\Program Files\\it\'s "here"\\main.js', 'mcp'],
  env: { EXECUTOR_HOME: '/home/me/ä' },
};
const other: Entry = { url: 'http://127.0.0.1:8788/mcp', http_headers: { Authorization: 'Bearer key' } };

const texts: Record<string, string> = {
  empty: '',
  'a byte order mark': '\uFEFFmodel = "o"\n[a]\nb = 1\n',
  'settings without tables': 'model = "o"\n',
  'no line ending at the end': 'model = "o"',
  'line endings of Windows': 'model = "o"\r\n\r\n[a]\r\nb = 1\r\n',
  neighbours: '# top\n[mcp_servers.a]\ncommand = "a"\n\n[mcp_servers.a.env]\nX = "1" # x\n\n# the end\n',
  'text that looks like headers':
    'a = """\n[mcp_servers.executor]\ncommand = "x"\n"""\nb = [\n  "]", # [c]\n  [1, 2],\n]\n[c]\nd = \'\'\'\n[e]\'\'\'\n',
  'strings that end with quotes': 'a = """x\\"""""\nb = "#"\nc = \'\'\'\'[d]\'\'\'\'\n[e]\nf = {g = "}"}\n',
  'large numbers and dates': 'a = 9223372036854775807\nb = 1979-05-27T07:32:00Z\n[[c]]\nd = nan\n[[c]]\n',
  'quoted keys': '["mcp_servers"."b.c"]\ncommand = "x"\n',
};

const values = (text: string) => parse(text.replace('\uFEFF', ''), { integersAsBigInt: true });

for (const [name, text] of Object.entries(texts)) {
  test(`Adding, replacing and removing the table keeps everything else byte for byte: ${name}`, () => {
    const added = config.set(text, entry);
    expect(added.startsWith(text)).toBe(true);
    expect(config.read(added)).toEqual(entry);
    const replaced = config.set(added, other);
    expect(config.read(replaced)).toEqual(other);
    expect(config.set(replaced, entry)).toBe(added);
    const removed = config.remove(added);
    expect(removed.trimEnd()).toBe(text.trimEnd());
    expect(values(removed)).toEqual(values(text));
  });
}

test('A table and its sub-tables are removed without their neighbours', () => {
  const text =
    'a = 1\n\n[mcp_servers."executor"] # ours\ncommand = "old"\nargs = [\n  "x",\n]\n\n# about b\n[b]\nc = 1\n[ mcp_servers.executor.env ]\nK = "v"\n\n[d]\n';
  const replaced = config.set(text, entry);
  expect(config.read(replaced)).toEqual(entry);
  expect(replaced).toContain('# about b\n[b]\nc = 1\n\n[d]\n');
  expect(config.remove(text)).toBe('a = 1\n\n\n# about b\n[b]\nc = 1\n\n[d]\n');
});

test('A restored table keeps its numbers and comments', () => {
  const theirs =
    '[mcp_servers.executor] # theirs\ncommand = "x"\ntimeout = 20\n\n[mcp_servers.executor.env]\nK = "v"';
  const later = `${config.set(`a = 1\n\n${theirs}\n`, entry)}\n[more]\n`;
  expect(config.restore(later, `a = 1\n\n${theirs}\n`)).toContain(theirs);
  expect(values(config.remove(config.restore(later, theirs)))).toEqual({ a: 1n, more: {} });
  expect(config.read(theirs)).toMatchObject({ timeout: '20' });
});

test('Invalid texts, and texts that cannot be edited safely, are rejected', () => {
  const refusals: [string, RegExp][] = [
    ['a = \n', /not TOML, see line 1/],
    ['a = 1\na = 2\n', /not TOML, see line 2/],
    ['mcp_servers = 1\n', /must be a table/],
    ['mcp_servers = { a = { command = "a" } }\n', /in a form/],
    ['[mcp_servers]\nexecutor = { command = "x" }\n', /in a form/],
    ['mcp_servers.executor.command = "x"\n', /in a form/],
    [`a = ${'['.repeat(100_000)}`, /nested too deeply|not TOML/],
  ];
  for (const [text, problem] of refusals) {
    expect(() => config.set(text, entry), text.slice(0, 80)).toThrow(problem);
    expect(() => config.set(text, entry), text.slice(0, 80)).toThrow(path);
  }
  expect(() => config.remove('[mcp_servers]\nexecutor = { command = "x" }\n')).toThrow(/in a form/);
});
