import { describe, expect, test } from 'vitest';
import { calendarDocument, driveDocument, gmailDocument } from '../../../test/google/documents.ts';
import { read } from '../../../test/read.ts';
import { faultsOf } from '../../../test/soundness.ts';

const rootUrl = 'https://www.googleapis.com';
const open = (document: object, namespace: string) =>
  read(JSON.stringify(document), { format: 'google', namespace });
const drive = () => open(driveDocument(rootUrl), 'drive');
const calendar = () => open(calendarDocument(rootUrl), 'calendar');
const gmail = () => open(gmailDocument(rootUrl), 'gmail');

test('Tools have the names of Google, with the effect of their method and name', async () => {
  const all = await Promise.all([drive(), calendar(), gmail()]);
  for (const { tools, definition, warnings } of all) {
    expect(faultsOf(tools, definition)).toEqual([]);
    expect(warnings).toEqual([]);
  }
  const tools = all.flatMap((one) => one.tools);
  expect(tools.map(({ path, effect }) => [path, effect])).toEqual([
    ['drive.files.create', 'write'],
    ['drive.files.delete', 'destructive'],
    ['drive.files.export', 'read'],
    ['drive.files.get', 'read'],
    ['drive.files.list', 'read'],
    ['calendar.events.insert', 'write'],
    ['calendar.events.list', 'read'],
    ['calendar.events.patch', 'write'],
    ['gmail.users.getProfile', 'read'],
    ['gmail.users.messages.batchDelete', 'destructive'],
    ['gmail.users.messages.send', 'write'],
  ]);
  expect(all.map(({ title, baseUrl }) => [title, baseUrl])).toEqual([
    ['Google Drive API', rootUrl],
    ['Calendar API', rootUrl],
    ['Gmail API', rootUrl],
  ]);
});

describe('An input', () => {
  const fields = async (tool: Promise<{ inputSchema: unknown }>) =>
    ((await tool).inputSchema as { properties: Record<string, object> }).properties;

  test('has numbers and defaults of the types that parameters name', async () => {
    const { pageSize, corpora } = await fields(drive().then(({ tool }) => tool('drive.files.list')));
    expect(pageSize).toMatchObject({ type: 'integer', minimum: 1, maximum: 1000 });
    expect(corpora).toMatchObject({ type: 'string', enum: ['user', 'drive'] });
  });

  test('has a list for a repeated parameter, which is sent once per value', async () => {
    const { tool } = await calendar();
    const { eventTypes } = await fields(Promise.resolve(tool('calendar.events.list')));
    expect(eventTypes).toMatchObject({
      type: 'array',
      items: { type: 'string', enum: ['default', 'focusTime'] },
    });
    expect(tool('calendar.events.list').plan.parameters).toContainEqual(
      expect.objectContaining({ name: 'eventTypes', style: 'form', explode: true }),
    );
  });

  test('has no fields that only Google sets, and int64 as text', async () => {
    const create = await fields(drive().then(({ tool }) => tool('drive.files.create')));
    expect(create).not.toHaveProperty('size');
    const send = await fields(gmail().then(({ tool }) => tool('gmail.users.messages.send')));
    expect(send).toMatchObject({ internalDate: { type: 'string' }, historyId: { type: 'string' } });
  });

  test('requires the fields of the body that the schema requires of this method', async () => {
    const { tool } = await calendar();
    expect(tool('calendar.events.insert').inputSchema).toMatchObject({
      required: ['calendarId', 'start', 'end'],
    });
    expect(tool('calendar.events.patch').inputSchema).toMatchObject({ required: ['calendarId', 'eventId'] });
  });
});

test('A call needs any of the scopes of its method, or an API key', async () => {
  const { tool, security } = await drive();
  expect(security).toEqual([
    expect.objectContaining({ name: 'oauth2', type: 'oauth2' }),
    expect.objectContaining({ name: 'key', type: 'apiKey', in: 'query', key: 'key' }),
  ]);
  expect(tool('drive.files.list').security).toEqual([
    [{ scheme: 'oauth2', scopes: ['https://www.googleapis.com/auth/drive'] }],
    [{ scheme: 'oauth2', scopes: ['https://www.googleapis.com/auth/drive.readonly'] }],
    [{ scheme: 'key' }],
  ]);
  expect((await gmail()).tool('gmail.users.messages.batchDelete').security).toEqual([
    [{ scheme: 'key' }],
    [],
  ]);
});

test('A deprecated method is marked', async () => {
  const document = driveDocument(rootUrl);
  Object.assign(document.resources.files.methods.list, { deprecated: true });
  const { tool } = await open(document, 'drive');
  expect(tool('drive.files.list').deprecated).toBe(true);
  expect(tool('drive.files.get').deprecated).toBeUndefined();
});

test.each([
  [{ openapi: '3.1.0', paths: {} }, /^This is not a Google Discovery document/],
  [{ kind: 'discovery#directoryList', items: [] }, /^This is the list of all Google APIs/],
  [[], /^This is not a Google Discovery document/],
])('%j is refused', async (document, message) => {
  await expect(open(document, 'api')).rejects.toThrow(message);
});

test('A reader of OpenAPI names the kind that reads it', async () => {
  await expect(read(JSON.stringify(driveDocument(rootUrl)))).rejects.toThrow('of the kind google');
});
