import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import type { Entry } from '../agent-client.ts';
import { jsonConfig } from './json-config.ts';

const path = '/home/me/.cursor/mcp.json';
const config = jsonConfig('mcpServers', path);
const entry: Entry = { command: '/usr/bin/node', args: ['/opt/executor/main.js', 'mcp'] };
const other: Entry = { command: 'other', args: [], env: { EXECUTOR_TOKEN: 'secret' } };

/** Texts in the shapes that users and programs write. */
const texts: Record<string, string> = {
  'an empty object': '{}',
  'an empty object on two lines': '{\n}\n',
  'other settings': '{\n  "theme": "dark",\n  "n": 1.50\n}\n',
  'an empty container': '{\n  "mcpServers": {}\n}\n',
  'a neighbour': '{\n  "mcpServers": {\n    "a": {\n      "command": "a"\n    }\n  }\n}\n',
  'a byte order mark': '\uFEFF{\n  "mcpServers": {\n    "a": {}\n  }\n}\n',
  tabs: '{\n\t"mcpServers": {\n\t\t"a": { "command": "a" }\n\t},\n\t"x": [1, 2]\n}\n',
  'line endings of Windows': '{\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}\r\n',
  'one line': '{"mcpServers":{"a":{"command":"a"}},"x":1}',
  'one line without a container': '{"x":1}',
  'a trailing comma': '{\n  "mcpServers": {\n    "a": {},\n  },\n}\n',
  'a comment after the last property': '{\n  "mcpServers": {\n    "a": {} // mine\n  } // servers\n}\n',
  'a comment after the last property and its comma': '{\n  "mcpServers": {\n    "a": {}, // mine\n  },\n}\n',
  'only comments in the container': '{\n  "mcpServers": {\n    // none yet\n  }\n}\n',
  'a comment after the brace': '{ // settings\n  "mcpServers": { /* none */ }\n}\n',
  'braces in strings and comments': '{\n  // } "mcpServers": {\n  "a": "} , // {",\n  "b": "\\"}"\n}\n',
  'no indent': '{\n"mcpServers": {\n"a": {}\n}\n}\n',
  '__proto__ and large numbers': '{"__proto__": {"x": 1}, "big": 12345678901234567890, "mcpServers": {}}',
  'the same key twice elsewhere': '{ "x": 1, "x": 2, "mcpServers": { } }',
};

/** Whether the longer text contains all characters of the other one in the same order, because an edit only adds. */
function isWithin(text: string, longer: string): boolean {
  let at = 0;
  for (const character of longer) if (character === text[at]) at += 1;
  return at === text.length;
}

for (const [name, text] of Object.entries(texts)) {
  test(`Adding, replacing and removing the entry keeps everything else: ${name}`, () => {
    const added = config.set(text, entry);
    expect(config.read(added)).toEqual(entry);
    const replaced = config.set(added, other);
    expect(config.read(replaced)).toEqual(other);
    expect(config.set(replaced, entry)).toBe(added);
    const removed = config.remove(added, { andContainer: !config.hasContainer(text) });
    expect(config.read(removed)).toBeUndefined();
    expect(parse(removed)).toEqual(parse(text));
    expect(isWithin(text.replace(/\s/g, ''), added), added).toBe(true);
    for (const comment of text.match(/\/\/.*/g) ?? []) expect(removed).toContain(comment);
  });
}

test('A comment keeps its position after the line that it describes', () => {
  const added = config.set(texts['a comment after the last property'] as string, entry);
  expect(added).toContain('"a": {}, // mine\n    "executor": {');
});

test('Adding and removing the entry restores common files byte for byte', () => {
  const exact = [
    'a byte order mark',
    'other settings',
    'a neighbour',
    'tabs',
    'line endings of Windows',
    'one line',
    'a trailing comma',
  ];
  const commented = [
    'a comment after the last property',
    'a comment after the last property and its comma',
    'no indent',
  ];
  for (const name of [...exact, ...commented]) {
    const text = texts[name] as string;
    const andContainer = !config.hasContainer(text);
    expect(config.remove(config.set(text, entry), { andContainer }), name).toBe(text);
  }
});

test('An empty text becomes a file with the entry, and comments are kept', () => {
  for (const text of ['', '\n', '  ']) expect(config.set(text, entry)).toBe(`${config.snippet(entry)}\n`);
  expect(config.set('// my servers\n', entry)).toBe(`// my servers\n${config.snippet(entry)}\n`);
});

test('Invalid texts are rejected with the position', () => {
  const refusals: [string, RegExp][] = [
    ['{ "a": 1', /line 1, column 9/],
    ['{\n  "a": 1,\n  nonsense\n}', /line 3, column 3/],
    ['{"a":1}{"b":2}', /line 1, column 8/],
    ['[]', /one JSON object/],
    ['"text"', /one JSON object/],
    ['{"mcpServers": []}', /"mcpServers" must be an object/],
    ['{"mcpServers": null}', /"mcpServers" must be an object/],
    ['{"mcpServers": {}, "mcpServers": {}}', /"mcpServers" twice/],
    ['{"mcpServers": {"executor": 1, "executor": 2}}', /"executor" twice/],
    [`{"a": ${'['.repeat(200_000)}`, /nested too deeply|not JSON/],
  ];
  for (const [text, problem] of refusals) {
    for (const act of [() => config.set(text, entry), () => config.remove(text), () => config.read(text)]) {
      expect(act, text.slice(0, 80)).toThrow(problem);
      expect(act, text.slice(0, 80)).toThrow(path);
    }
  }
});

/** A small random text. Failures show its seed. */
function randomText(seed: number): string {
  let state = seed * 2_654_435_761 + 1;
  const pick = <T>(choices: T[]): T => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return choices[Math.floor((state / 2_147_483_648) * choices.length)] as T;
  };
  const gap = () =>
    pick(['', ' ', '\n', '\n  ', '\r\n\t', ' // note\n', '/* { */', '\n// "executor": {}\n', ' /* a\nb */ ']);
  const value = (depth: number): string => {
    const scalar = pick(['1', '-2.5e3', 'true', 'null', '"x"', '"{,}"', '"\\u0041\\""', '"// no"']);
    if (depth === 0) return scalar;
    return pick([
      scalar,
      object(depth - 1, 'k'),
      `[${gap()}${value(depth - 1)}${gap()},${value(0)}${gap()}]`,
    ]);
  };
  const object = (depth: number, names: string, more: string[] = []): string => {
    const properties = [0, 1, 2]
      .slice(0, pick([0, 1, 2, 3]))
      .map((n) => `"${names}${n}"${gap()}:${gap()}${value(depth)}`);
    const all = pick([
      [...more, ...properties],
      [...properties, ...more],
    ]);
    const end = all.length > 0 ? pick(['', '', `,${gap()}`]) : '';
    return `{${gap()}${all.join(`${gap()},${gap()}`)}${gap()}${end}}`;
  };
  const servers = pick([[], [`"mcpServers"${gap()}:${gap()}${object(1, 'server')}`]]);
  return `${gap()}${object(2, 'key', servers)}${gap()}`;
}

test('A restored entry keeps its formatting and comments', () => {
  const theirs = '{ "command": "x", /* theirs */ "timeout": 20 }';
  const before = `{\n  "mcpServers": {\n    "executor": ${theirs},\n    "b": {} // b\n  }\n}\n`;
  expect(config.restore(config.set(before, entry), before)).toBe(before);
  const later = config.set(before, entry).replace('// b', '// later');
  expect(config.restore(later, before)).toBe(before.replace('// b', '// later'));
});

test('Edits keep everything else in 1,000 random files', () => {
  for (let seed = 1; seed <= 1_000; seed += 1) {
    const text = randomText(seed);
    const context = `seed ${seed}: ${JSON.stringify(text)}`;
    const added = config.set(text, entry);
    expect(config.read(added), context).toEqual(entry);
    const { mcpServers: before = {}, ...others } = parse(text);
    const { mcpServers: after, ...othersAfter } = parse(added);
    expect(othersAfter, context).toEqual(others);
    expect(after, context).toEqual({ ...before, executor: entry });
    const removed = config.remove(added, { andContainer: !config.hasContainer(text) });
    expect(parse(removed), context).toEqual(parse(text));
    const comments = (content: string) =>
      (content.match(/\/\/ note|\/\* [{a]|\/\/ "executor"/g) ?? []).length;
    expect([comments(added), comments(removed)], context).toEqual([comments(text), comments(text)]);
  }
});
