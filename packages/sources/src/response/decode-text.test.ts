import { expect, test } from 'vitest';
import { decodeText } from './decode-text.ts';

const xmlIn = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><a>ä</a>`;

test.each(['utf-16', 'UTF-16LE', 'utf16', 'UCS-2', 'ISO-10646-UCS-2', 'unicode', 'csUnicode'])(
  'XML that says in single bytes that it is %s is not',
  (encoding) => {
    expect(decodeText(Buffer.from(xmlIn(encoding)), undefined)).toBe(xmlIn(encoding));
  },
);

test('XML is decoded with the charset that it declares, if that is possible', () => {
  const text = xmlIn('ISO-8859-1');
  expect(decodeText(Buffer.from(text, 'latin1'), undefined)).toBe(text);
});

test('XML in UTF-16 is decoded by its byte order mark', () => {
  const text = xmlIn('utf-16');
  expect(decodeText(Buffer.from(`\ufeff${text}`, 'utf16le'), undefined)).toBe(text);
});
