import type { Bytes } from '@executor/protocol';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { respondBytes } from './bytes-response.ts';
import { streamOf } from './stream-of.ts';

function ask(bytes: Partial<Bytes>, headers: Record<string, string> = {}) {
  const app = new Hono();
  const whole = { mediaType: 'text/html', bytes: new TextEncoder().encode('0123456789'), ...bytes };
  app.get('/', (http) => respondBytes(http, whole));
  return app.request('/', { headers });
}

test('A page is sent as a download, without an origin or resources', async () => {
  const response = await ask({ name: 'report.html' });
  expect(Object.fromEntries(response.headers)).toEqual({
    'accept-ranges': 'bytes',
    'content-disposition': `attachment; filename="report.html"; filename*=UTF-8''report.html`,
    'content-length': '10',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'content-type': 'text/html',
  });
  expect(await response.text()).toBe('0123456789');
});

test('An invalid media type becomes application/octet-stream', async () => {
  for (const mediaType of ['', 'text', 'text/html\r\nx: y', 'text/html; charset="a\nb"', 'тип/тип']) {
    expect((await ask({ mediaType })).headers.get('content-type')).toBe('application/octet-stream');
  }
  for (const mediaType of ['image/svg+xml', 'text/plain; charset=utf-8', 'application/vnd.api+json']) {
    expect((await ask({ mediaType })).headers.get('content-type')).toBe(mediaType);
  }
});

test('A file name cannot contain a path, be hidden, or end the header', async () => {
  const disposition = async (name: string) => (await ask({ name })).headers.get('content-disposition');
  expect(await disposition('../../etc/passwd')).toBe(
    `attachment; filename="_.._etc_passwd"; filename*=UTF-8''_.._etc_passwd`,
  );
  expect(await disposition('a"; filename=b\r\nset-cookie: c')).toBe(
    `attachment; filename="a_; filename=b__set-cookie_ c"; filename*=UTF-8''a_%3B%20filename%3Db__set-cookie_%20c`,
  );
  expect(await disposition('.profile')).toContain('filename="profile"');
  expect(await disposition('\u202egnp.exe')).toContain('filename="_gnp.exe"');
  expect(await disposition('naïve (1).txt')).toBe(
    `attachment; filename="na_ve (1).txt"; filename*=UTF-8''na%C3%AFve%20%281%29.txt`,
  );
  expect(await disposition(`${'😀'.repeat(200)}\ud800`)).toContain(
    `filename*=UTF-8''${encodeURIComponent('😀'.repeat(150))}`,
  );
  expect(await disposition('...')).toBe('attachment');
});

test('A range can be requested', async () => {
  const part = async (range: string) => {
    const response = await ask({}, { range });
    return `${response.status} ${response.headers.get('content-range')} ${await response.text()}`;
  };
  expect(await part('bytes=2-4')).toBe('206 bytes 2-4/10 234');
  expect(await part('bytes=7-')).toBe('206 bytes 7-9/10 789');
  expect(await part('bytes=-3')).toBe('206 bytes 7-9/10 789');
  expect(await part('bytes=-30')).toBe('206 bytes 0-9/10 0123456789');
  expect(await part('bytes=8-99')).toBe('206 bytes 8-9/10 89');
  expect(await part('bytes=10-')).toBe('416 bytes */10 ');
  expect(await part('bytes=-0')).toBe('416 bytes */10 ');
  for (const whole of ['bytes=4-2', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-'])
    expect(await part(whole)).toBe('200 null 0123456789');
});

test('A range of a stored file is read in pieces, each when the one before it was taken', async () => {
  const text = '0123456789';
  const read: string[] = [];
  async function* pieces({ offset, length }: { offset: number; length: number }) {
    for (let at = offset; at < offset + length; at += 4) {
      const piece = text.slice(at, Math.min(at + 4, offset + length));
      read.push(piece);
      yield Buffer.from(piece);
    }
  }
  const app = new Hono();
  app.get('/', (http) =>
    respondBytes(http, { mediaType: 'text/plain', length: 10, stream: (part) => streamOf(pieces(part)) }),
  );
  const part = await app.request('/', { headers: { range: 'bytes=1-8' } });
  expect([part.status, part.headers.get('content-range'), part.headers.get('content-length')]).toEqual([
    206,
    'bytes 1-8/10',
    '8',
  ]);
  const reader = part.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('1234');
  expect(read).toEqual(['1234']);
  await reader?.cancel();
  expect(await (await app.request('/')).text()).toBe(text);
  const outside = await app.request('/', { headers: { range: 'bytes=10-' } });
  expect([outside.status, outside.headers.get('content-range')]).toEqual([416, 'bytes */10']);
});
