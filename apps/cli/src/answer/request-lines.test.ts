import { expect, test } from 'vitest';
import { requestLines } from './request-lines.ts';

test('An HTTP request is shown as method, host and path, then the fields of the body', () => {
  const body = {
    item: 'lamp',
    amount: 5,
    code: '5',
    lines: [{ sku: 'a b' }, { sku: '' }],
    tags: ['x', 'y'],
    ship: { to: null, at: {} },
  };
  const request = {
    method: 'POST',
    url: 'https://api.shop.test/v1/orders?dry=1',
    headers: { 'content-type': 'application/json' },
    body,
  };
  expect(requestLines(request)).toEqual([
    '  POST api.shop.test/v1/orders?dry=1',
    '    item          lamp',
    '    amount        5',
    '    code          "5"',
    '    lines[0].sku  a b',
    '    lines[1].sku  ""',
    '    tags          ["x","y"]',
    '    ship.to       null',
    '    ship.at       {}',
  ]);
});

test('Headers follow the body, and those of every request are shown only in the whole request', () => {
  const request = {
    method: 'POST',
    url: 'https://api.shop.test/orders',
    headers: {
      accept: 'application/json',
      'user-agent': 'executor',
      'content-type': 'application/json',
      'idempotency-key': 'k1',
    },
    body: { id: 'inv_1', payer: { address: { city: 'Paris' } } },
  };
  expect(requestLines(request)).toEqual([
    '  POST api.shop.test/orders',
    '    id                  inv_1',
    '    payer.address.city  Paris',
    '  headers',
    '    idempotency-key     k1',
  ]);
  expect(requestLines(request, { whole: true })).toEqual([
    '  POST api.shop.test/orders',
    '    id                  inv_1',
    '    payer.address.city  Paris',
    '  headers',
    '    accept              application/json',
    '    user-agent          executor',
    '    content-type        application/json',
    '    idempotency-key     k1',
  ]);
});

test('Headers with other values than usual are shown', () => {
  const headers = { accept: 'text/csv', 'user-agent': 'agent', 'content-type': 'application/json' };
  expect(requestLines({ method: 'POST', url: 'https://a.test/', headers, body: 'text' })).toEqual([
    '  POST a.test/',
    '    text',
    '  headers',
    '    accept        text/csv',
    '    user-agent    agent',
    '    content-type  application/json',
  ]);
});

test('A very long name does not move the values of other fields', () => {
  const long = 'x'.repeat(40);
  expect(requestLines({ [long]: 1, id: 2 })).toEqual([`    ${long}  1`, `    ${'id'.padEnd(30)}  2`]);
});

test('Plain HTTP is shown as http', () => {
  expect(requestLines({ method: 'DELETE', url: 'http://127.0.0.1:9/x', headers: {} })).toEqual([
    '  DELETE http://127.0.0.1:9/x',
  ]);
});

test('Files are shown by name and size', () => {
  const parts = [
    { name: 'title', value: 'Report' },
    {
      name: 'scan',
      file: { name: 'scan.png', mediaType: 'image/png', bytes: 12_345, sha256: 'abc' },
    },
    { name: 'note', file: { name: 'note.txt', mediaType: 'text/plain', text: 'hi\nyou' } },
    { name: 'old', file: { name: 'old.pdf', mediaType: 'application/pdf', artifact: 'art_1' } },
  ];
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const request = { method: 'PUT', url: 'https://a.test/f', headers, body: { parts }, shortened: true };
  expect(requestLines(request).slice(1)).toEqual([
    '    title         Report',
    '    scan          file scan.png, 12,345 bytes, image/png, sha256 abc',
    '    note          file note.txt, 6 bytes, text/plain: "hi\\nyou"',
    '    old           file old.pdf, from artifact art_1, application/pdf',
    '  headers',
    '    content-type  multipart/form-data',
  ]);
  expect(requestLines(request, { whole: true }).at(-1)).toBe(
    '    content-type  multipart/form-data; boundary=x',
  );
});

test('A call without HTTP is shown as the fields of its input', () => {
  expect(requestLines({ tool: 'executor.artifacts.put', input: { text: 'hello' } })).toEqual([
    '    text          hello',
  ]);
  expect(requestLines('as it is')).toEqual(['    as it is']);
  expect(requestLines({ problem: 'It cannot be sent.' })).toEqual(['    problem       It cannot be sent.']);
});

test('A value cannot imitate another field or control the terminal', () => {
  const lines = requestLines({
    text: 'a\n    amount        1',
    'x\u001b[2J': '\u202e',
    'a.b': 1,
    a: { b: 2 },
  });
  expect(lines).toEqual([
    '    text          "a\\n    amount        1"',
    '    "x\\u001b[2J"  "\\u202e"',
    '    "a.b"         1',
    '    a.b           2',
  ]);
});
