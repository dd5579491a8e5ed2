import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { dropAgentKey, keepAgentKey, readAgentKey } from './agent-key.ts';
import { resolveFolders } from './folders.ts';

const home = mkdtempSync(join(tmpdir(), 'executor-agent-key-'));
const folders = resolveFolders({ EXECUTOR_HOME: home });
const [first, second] = ['exa_first_0123456789', 'exa_second_0123456789'];
afterEach(() => rm(home, { recursive: true, force: true }));

test('The first of two keys is kept, readable by its owner only', () => {
  expect(readAgentKey(folders)).toBeUndefined();
  expect(keepAgentKey(folders, first)).toBe(first);
  expect(keepAgentKey(folders, second)).toBe(first);
  expect(statSync(join(folders.data, 'mcp-key')).mode & 0o777).toBe(0o600);
});

test('A key is dropped only if it is the stored one, and an invalid file can be replaced', () => {
  keepAgentKey(folders, first);
  dropAgentKey(folders, second);
  expect(readAgentKey(folders)).toBe(first);
  dropAgentKey(folders, first);
  expect(readAgentKey(folders)).toBeUndefined();
  writeFileSync(join(folders.data, 'mcp-key'), 'half\n');
  expect(readAgentKey(folders)).toBeUndefined();
  dropAgentKey(folders, first);
  expect(keepAgentKey(folders, second)).toBe(second);
});
