import { expect, test } from 'vitest';
import { changesBetween } from './preview.ts';

test('Only changed lines are shown, because the others may contain keys of other programs', () => {
  const before = '{\n  "key": "of another" // mine\n}\n';
  const after = '{\n  "key": "of another", // mine\n  "executor": {}\n}\n';
  expect(changesBetween(before, after)).toEqual([{ sign: '+', line: 3, text: '  "executor": {}' }]);
  expect(changesBetween(after, before)).toEqual([{ sign: '-', line: 3, text: '  "executor": {}' }]);
  expect(changesBetween('', 'a\nb\n')).toEqual([
    { sign: '+', line: 1, text: 'a' },
    { sign: '+', line: 2, text: 'b' },
  ]);
});

test('Only the changed part is shown of a file on one line', () => {
  const before = '{"key":"of another","mcpServers":{"a":{}}}';
  const after = '{"key":"of another","mcpServers":{"a":{},"executor":{}}}';
  const [change, ...others] = changesBetween(before, after);
  expect(others).toEqual([]);
  expect(change?.text).toContain('"executor":{}');
  expect(change?.text).not.toContain('of another');
});

test('Keys of Executor are hidden', () => {
  const lines = [
    '"EXECUTOR_TOKEN": "secret"',
    '"Authorization": "Bearer secret"',
    'http_headers = { Authorization = "Bearer secret" }',
    'env = { EXECUTOR_HOME = "/h", EXECUTOR_TOKEN = "secret" }',
  ];
  const shown = changesBetween(lines.join('\n'), '');
  expect(shown).toHaveLength(4);
  expect(JSON.stringify(shown)).not.toContain('secret');
});
