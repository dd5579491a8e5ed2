import { describe, expect, test } from 'vitest';
import { issueSentence } from '../error/issue-sentence.ts';
import { openApiDocument } from '../route/openapi.ts';
import { sourceKinds } from './kinds/source-kinds.ts';
import { NewSource } from './new-source.ts';

const url = 'https://example.com/openapi.json';

describe('A request for a new source', () => {
  test.each([
    ['names its kind', { kind: 'openapi', url, serverVariables: { region: 'eu' } }],
    [
      'starts a program',
      { kind: 'mcp', transport: 'stdio', command: 'npx', args: ['-y', 'x'], env: { A: 'b' } },
    ],
    ['leaves the kind out', { url, serverVariables: { region: 'eu' }, name: 'Shop' }],
  ])('%s', (_, request) => {
    expect(NewSource.parse(request)).toEqual(request);
  });

  test.each<[object, string]>([
    [{ kind: 'fax', url }, `kind: must be one of ${sourceKinds.join(', ')}, or absent`],
    [{ kind: 'openapi', url, command: 'x' }, 'Unrecognized key: "command"'],
    [{ kind: 'openapi', url, timeoutMs: 'x' }, 'timeoutMs: Invalid input: expected number, received string'],
    [{ url, document: '{}' }, 'Pass either a url or a document.'],
    [{ kind: 'openapi' }, 'Pass either a url or a document.'],
    [{ kind: 'graphql' }, 'Pass either a url or a document.'],
    [{ kind: 'graphql', url, serverVariables: {} }, 'Unrecognized key: "serverVariables"'],
    [{ kind: 'mcp' }, 'Pass either a url or a command.'],
    [{ kind: 'mcp', url, transport: 'stdio' }, 'transport: stdio needs a command, the others need a url.'],
    [{ kind: 'mcp', url, env: {} }, 'args, cwd and env: only allowed with a command.'],
    [{ url, files: { main: 'a.yaml', others: {} } }, 'files: only allowed with a document.'],
  ])('%j is rejected with a clear message', (request, message) => {
    const { error } = NewSource.safeParse(request);
    expect(error && issueSentence(error)).toBe(message);
  });

  test('has one variant for each kind in the document of the API, and one without a kind', () => {
    const { components } = openApiDocument('1') as { components: { schemas: Record<string, object> } };
    expect(components.schemas.NewSource).toMatchObject({
      oneOf: [
        { properties: { kind: { not: {} } } },
        ...sourceKinds.map((kind) => ({ properties: { kind: { const: kind } }, required: ['kind'] })),
      ],
    });
  });
});
