import { expect, test } from 'vitest';
import { requestLines } from './request-lines.ts';

test('An HTTP request is shown as method, host and path, then headers and fields of the body', () => {
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
    '    header        content-type: application/json',
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
  const lines = requestLines({
    method: 'PUT',
    url: 'https://a.test/f',
    headers,
    body: { parts },
    shortened: true,
  });
  expect(lines.slice(2)).toEqual([
    '    title         Report',
    '    scan          file scan.png, 12,345 bytes, image/png, sha256 abc',
    '    note          file note.txt, 6 bytes, text/plain: "hi\\nyou"',
    '    old           file old.pdf, the artifact art_1, application/pdf',
  ]);
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
