import { ChunkCache, type Invocation, type NewArtifact, type Source, ToolPack } from '@executor/engine';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeSource } from '../../../engine/src/ports/source.suite.ts';
import { type FakeGoogle, startFakeGoogle } from '../../test/google/fake-google.ts';
import { readerFolder } from '../../test/reader-folder.ts';
import { createHttpClient } from '../http/create-http-client.ts';
import type { HttpClient } from '../http/http-client.ts';
import { createGoogleSource } from './google-source.ts';

let http: HttpClient;
let google: FakeGoogle;
let source: Source;
const settings = { url: '', allowPrivateNetwork: true };

beforeAll(async () => {
  http = createHttpClient();
  google = await startFakeGoogle();
  settings.url = `${google.url}/drive/$discovery/rest?version=v3`;
  source = createGoogleSource({ http, readerFolder });
});
afterAll(async () => {
  await Promise.all([http.close(), google.close()]);
});
beforeEach(() => {
  google.requests.splice(0);
  artifacts.clear();
});

const signal = new AbortController().signal;
const packs = new Map<string, Promise<ToolPack>>();
const artifacts = new Map<string, NewArtifact>();

async function find(path: string) {
  const [api = ''] = path.split('.');
  const url = `${google.url}/${api}/$discovery/rest`;
  const pack =
    packs.get(api) ??
    source
      .load({ ...settings, url }, { sourceId: 'src', namespace: api, signal })
      .then(({ tools }) => ToolPack.open(tools, new ChunkCache()));
  packs.set(api, pack);
  const tool = (await pack).find(path);
  if (tool === undefined) throw new RangeError(`There is no ${path}.`);
  return tool;
}

async function call(path: string, input: object, auth: Invocation['auth'] = {}) {
  const outcome = await source.invoke(
    {
      tool: await find(path),
      input,
      settings,
      auth,
      sourceId: 'src',
      call: { workspaceId: 'ws', executionId: 'exe', index: 0, attempt: 1, id: 'exe.0' },
      ask: () => Promise.reject(new Error('There is no user.')),
      progress() {},
      log() {},
      async putArtifact(artifact) {
        const artifactId = `art_${artifacts.size + 1}`;
        artifacts.set(artifactId, artifact);
        return { artifactId, mediaType: artifact.mediaType, bytes: artifact.bytes.length };
      },
      readArtifact: async (id) => artifacts.get(id),
      allowAnswer: async () => {},
    },
    signal,
  );
  return outcome.type === 'json'
    ? JSON.parse(outcome.json)
    : outcome.type === 'value'
      ? outcome.value
      : outcome;
}

describeSource('google', {
  open: async () => createGoogleSource({ http, readerFolder }),
  namespace: 'drive',
  settings,
  works: { path: 'drive.files.list', input: { pageSize: 1 } },
  refused: { path: 'drive.files.get', input: { fileId: 'gone' } },
});

describe('An upload', () => {
  test('with fields is one multipart request: the fields as JSON, then the file', async () => {
    const media = { text: 'a,b\n', mediaType: 'text/csv' };
    expect(await call('drive.files.create', { name: 'Table', media })).toMatchObject({
      name: 'Table',
      mimeType: 'text/csv',
      size: '4',
    });
    const [request] = google.requests;
    expect(request?.url).toBe('/upload/drive/v3/files?uploadType=multipart');
    expect(request?.contentType).toMatch(/^multipart\/related; boundary=/);
    expect(request?.body).not.toMatch(/content-disposition/i);
  });

  test('keeps every byte of an artifact, and its type', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    artifacts.set('art_1', { bytes, mediaType: 'image/png', name: 'a.png' });
    const { id, mimeType } = await call('drive.files.create', { media: { artifact: 'art_1' } });
    expect(mimeType).toBe('image/png');
    const downloaded = await call('drive.files.get', { fileId: id, alt: 'media' });
    expect(downloaded).toMatchObject({ type: 'artifact', id: 'art_2', mediaType: 'image/png', bytes: 256 });
    expect(Buffer.from(artifacts.get('art_2')?.bytes ?? [])).toEqual(Buffer.from(bytes));
  });

  test('has the default type that the method accepts', async () => {
    await call('gmail.users.messages.send', { userId: 'me', media: 'Subject: Hi\r\n\r\nHello' });
    const [request] = google.requests;
    expect(request?.url).toBe('/upload/gmail/v1/users/me/messages/send?uploadType=multipart');
    expect(request?.body).toContain('Content-Type: message/rfc822\r\n\r\nSubject: Hi');
  });

  test('is previewed as it is sent', async () => {
    const tool = await find('drive.files.create');
    const preview = source.preview({ tool, input: { name: 'A', media: 'text' }, settings });
    expect(preview).toMatchObject({
      method: 'POST',
      url: `${google.url}/upload/drive/v3/files?uploadType=multipart`,
      body: {
        parts: [
          { name: 'body', value: '{"name":"A"}' },
          { name: 'media', file: { text: 'text' } },
        ],
      },
    });
  });

  test('is none without a file', async () => {
    await call('drive.files.create', { name: 'Empty' });
    expect(google.requests).toEqual([
      { method: 'POST', url: '/drive/v3/files', contentType: 'application/json', body: '{"name":"Empty"}' },
    ]);
  });
});

describe('A download', () => {
  test('is an artifact, even if the file is text or JSON', async () => {
    for (const mediaType of ['text/plain', 'application/json']) {
      const { id } = await call('drive.files.create', { media: { text: '{"a":1}', mediaType } });
      expect(await call('drive.files.get', { fileId: id, alt: 'media' })).toMatchObject({
        type: 'artifact',
        mediaType,
        bytes: 7,
      });
      expect(await call('drive.files.get', { fileId: id })).toMatchObject({ id });
    }
  });

  test('is the only response of a method without another one', async () => {
    const { id } = await call('drive.files.create', { media: 'text' });
    const exported = await call('drive.files.export', { fileId: id, mimeType: 'text/plain' });
    expect(exported).toMatchObject({ type: 'artifact', mediaType: 'text/plain' });
    expect(google.requests.at(-1)?.url).toBe(`/drive/v3/files/${id}/export?alt=media&mimeType=text%2Fplain`);
  });
});

test('Pages follow each other by their tokens', async () => {
  await call('drive.files.create', { name: 'Another' });
  await call('drive.files.create', { name: 'Second', media: 'x' });
  const names: string[] = [];
  let pageToken: string | undefined;
  do {
    const page = await call('drive.files.list', { pageSize: 1, ...(pageToken && { pageToken }) });
    names.push(...page.files.map(({ name }: { name: string }) => name));
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  expect(names).toContain('Second');
  expect(new Set(google.requests.map(({ url }) => url)).size).toBe(google.requests.length);
});

test('Repeated parameters and dates are sent as Google reads them', async () => {
  const input = {
    calendarId: 'a@b.example',
    eventTypes: ['default', 'focusTime'],
    timeMin: '2026-01-01T00:00:00Z',
  };
  expect(await call('calendar.events.list', input)).toEqual({ items: [] });
  expect(google.requests[0]?.url).toBe(
    '/calendar/v3/calendars/a%40b.example/events?eventTypes=default&eventTypes=focusTime&timeMin=2026-01-01T00%3A00%3A00Z',
  );
});

test('A 403 for want of a scope names the scopes that the call needs', async () => {
  const refused = await call('drive.files.list', {}, { headers: { authorization: 'Bearer narrow' } });
  expect(refused).toMatchObject({
    type: 'error',
    message:
      'Request had insufficient authentication scopes. (HTTP 403 Forbidden). The credentials lack a scope. This call needs one of these scopes: https://www.googleapis.com/auth/drive, https://www.googleapis.com/auth/drive.readonly',
    details: { status: 403, code: 'insufficientPermissions' },
  });
});

test('detects a document at its URL and at the root of a server, and nothing else', async () => {
  const options = { signal, allowPrivateNetwork: true };
  const url = `${google.url}/calendar/$discovery/rest`;
  expect(await source.detect?.(url, options)).toEqual({ settings: { url } });
  expect(await source.detect?.(`${google.url}/calendar/`, options)).toEqual({ settings: { url } });
  expect(await source.detect?.(`${google.url}/calendar/v3`, options)).toBeUndefined();
});
