import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { driveDocument } from '../../../packages/sources/test/google/documents.ts';
import { type FakeGoogle, startFakeGoogle } from '../../../packages/sources/test/google/fake-google.ts';
import { TestHome } from './home.ts';

/* Google's Drive and Calendar, played on loopback, from the command line. */

let google: FakeGoogle;
let home: TestHome;
beforeAll(async () => {
  google = await startFakeGoogle();
  home = new TestHome({ WIDE: 'wide-token', NARROW: 'narrow' });
  await home.json('up');
});
afterAll(async () => {
  await home[Symbol.asyncDispose]();
  await google.close();
});

const url = (api: string) => `${google.url}/${api}/$discovery/rest`;

test('A Discovery document is recognised at its URL, at the root of its server, as text and as a file', async () => {
  const text = JSON.stringify(driveDocument(google.url));
  const file = join(home.path, 'drive.json');
  await writeFile(file, text);
  const added = await Promise.all([
    home.run(['sources', 'add', url('drive'), '--namespace', 'one']),
    home.run(['sources', 'add', url('drive'), '--namespace', 'two', '--kind', 'google']),
    home.run(['sources', 'add', `${google.url}/drive`, '--namespace', 'three']),
    home.start(['sources', 'add', '-', '--namespace', 'four'], { input: text }).ended,
    home.run(['sources', 'add', file, '--namespace', 'five']),
  ]);
  for (const { code, stdout, stderr } of added) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('5 tools of Google Drive API\n');
    expect(stdout).toContain(`calls go to  ${google.url}\n`);
  }
  const { items } = await home.client.sources.list();
  expect(items.map(({ kind }) => kind)).toEqual(Array(5).fill('google'));
  expect(await readFile(file, 'utf8')).toBe(
    (await home.run(['sources', 'document', 'five'])).stdout.trimEnd(),
  );
});

test('A document of another format names the kind that reads it, and a wrong kind says what is wrong', async () => {
  const { code, stderr } = await home.run(['sources', 'add', url('drive'), '--kind', 'openapi']);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('of the kind google') });
  const openapi = await home.start(['sources', 'add', '-', '--kind', 'google'], {
    input: '{"openapi":"3.1.0"}',
  }).ended;
  expect(openapi.stderr).toContain('This is not a Google Discovery document');
  const broken = await home.start(['sources', 'add', '-'], { input: '{"kind":"discovery#restDescription"}' })
    .ended;
  expect(broken.stderr).toContain('The document has no methods');
  expect(broken.stderr).not.toContain('OpenAPI');
});

test('A run uploads a file, downloads it, and learns which scope its token lacks', async () => {
  const add = ['sources', 'add', url('drive'), '--namespace', 'disk', '--approve-writes', 'auto'];
  expect((await home.run([...add, '--bearer', 'env:WIDE'])).code).toBe(0);
  const code = `
    const { id } = await tools.disk.files.create({ name: 'Note', media: { text: 'Hello', mediaType: 'text/plain' } });
    const { bytes } = await tools.disk.files.get({ fileId: id, alt: 'media' });
    return { bytes, names: (await tools.disk.files.list({})).files.map(({ name }) => name) };`;
  expect(await home.json('call', code)).toMatchObject({ result: { bytes: 5, names: ['Note'] } });
  await home.run(['sources', 'edit', 'disk', '--bearer', 'env:NARROW']);
  const refused = await home.run(['tools', 'call', 'disk.files.list']);
  expect(refused.stderr).toContain(
    'This call needs one of these scopes: https://www.googleapis.com/auth/drive',
  );
});

test('Tools keep short paths under a namespace that is called like their resource', async () => {
  await home.run(['sources', 'add', url('drive'), '--namespace', 'files']);
  const paths = async () =>
    (await home.json('tools', 'ls', 'files')).items.map(({ path }: { path: string }) => path);
  const before = await paths();
  expect(before).toContain('files.list');
  expect((await home.run(['sources', 'refresh', 'files'])).stdout).toContain('Nothing changed');
  expect(await paths()).toEqual(before);
});

test('A call without credentials names each way to authenticate once', async () => {
  await home.run(['sources', 'add', url('calendar'), '--namespace', 'calendar']);
  const { stderr } = await home.run(['tools', 'call', 'calendar.events.list', '{"calendarId":"primary"}']);
  expect(stderr).toContain(
    'oauth2 (an OAuth 2 access token), or key (a key in the query parameter key). A person can set them: executor sources edit calendar --bearer',
  );
});
