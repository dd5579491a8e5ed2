import { stripVTControlCharacters } from 'node:util';
import type { Source } from '@executor/protocol';
import { expect, test } from 'vitest';
import { sourceLines } from './describe.ts';

const source = {
  namespace: 'notes',
  baseUrl: 'https://notes.example',
  origins: [],
  auth: { type: 'none' },
  security: [],
  settings: {},
  warnings: [],
  warningCount: 0,
  unseenCount: 0,
  suggestionCount: 0,
} as unknown as Source;
const lines = (parts: Partial<Source>) =>
  stripVTControlCharacters(sourceLines({ ...source, ...parts }).join('\n'));

test('Counts of one tool are singular', () => {
  expect(lines({ suggestionCount: 1 })).toContain(
    '1 tool has a suggested effect that is weaker than its method: executor tools ls notes --only suggested',
  );
  expect(lines({ suggestionCount: 2 })).toContain(
    '2 tools have a suggested effect that is weaker than their method:',
  );
  expect(lines({ unseenCount: 1 })).toContain('1 tool needs approval until you mark it as seen: executor');
  expect(lines({ unseenCount: 2 })).toContain('2 tools need approval until you mark them as seen: executor');
});

test('A source whose document names no server says how to set one', () => {
  const document = { mediaType: 'application/json', bytes: 2, hash: 'a' };
  expect(lines({ baseUrl: undefined, document })).toMatch(
    /calls go to +no server, because the document names none/,
  );
});

test('A source without a document or a server names no server', () => {
  expect(lines({ baseUrl: undefined })).not.toContain('calls go to');
});

test('A source that may reach private networks says so', () => {
  expect(lines({ settings: { allowPrivateNetwork: true } })).toMatch(
    /network +calls may reach this machine and private networks/,
  );
  expect(lines({ settings: { allowThisMachine: true } })).toMatch(/network +calls may reach this machine$/m);
});

test('Only a document can ask for no credentials', () => {
  expect(lines({ kind: 'openapi' })).toMatch(/credentials +none set, and the document asks for none$/m);
  expect(lines({ kind: 'google' })).toMatch(/credentials +none set, and the document asks for none$/m);
  expect(lines({ kind: 'mcp' })).toMatch(/credentials +none set$/m);
  expect(lines({ kind: 'graphql' })).toMatch(/credentials +none set$/m);
});
