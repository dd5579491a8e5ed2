import { describe, expect, test } from 'vitest';
import { RequestReader } from './wire.ts';

const startup = message(undefined, '\0\x03\0\0user\0postgres\0\0');
const query = message('Q', 'select 1\0');
const parse = message('P', '\0select $1\0\0\0');
const bind = message('B', '\0\0\0\0');
const execute = message('E', '\0\0\0\0\0');
const sync = message('S', '');
const terminate = message('X', '');
const pipeline = Buffer.concat([parse, bind, execute, sync]);

describe('a byte stream', () => {
  const stream = Buffer.concat([startup, query, pipeline, message('H', ''), query]);
  const requests = [startup, query, pipeline, message('H', ''), query].map((bytes) => new Uint8Array(bytes));

  test('in one piece is split into complete requests', () => {
    expect(new RequestReader().push(stream)).toEqual({ requests, ended: false });
  });

  test('split anywhere gives the same requests', () => {
    for (let at = 0; at <= stream.length; at++) {
      const reader = new RequestReader();
      const parts = [reader.push(stream.subarray(0, at)), reader.push(stream.subarray(at))];
      expect(parts.flatMap((part) => part.requests)).toEqual(requests);
    }
  });

  test('byte by byte gives the same requests', () => {
    const reader = new RequestReader();
    expect([...stream].flatMap((byte) => reader.push(Uint8Array.of(byte)).requests)).toEqual(requests);
  });
});

test('a pipeline is held until its Sync arrives', () => {
  const reader = new RequestReader();
  reader.push(startup);
  expect(reader.push(Buffer.concat([parse, bind]))).toEqual({ requests: [], ended: false });
  expect(reader.push(Buffer.concat([execute, sync]))).toEqual({
    requests: [new Uint8Array(pipeline)],
    ended: false,
  });
});

test('messages before the end are executed, later ones are not', () => {
  const reader = new RequestReader();
  expect(reader.push(Buffer.concat([startup, query, terminate, query]))).toEqual({
    requests: [new Uint8Array(startup), new Uint8Array(query)],
    ended: true,
  });
});

test('a request is a copy, because its bytes are transferred to another thread', () => {
  const chunk = Buffer.concat([startup, query]);
  const { requests } = new RequestReader().push(chunk);
  chunk.fill(0);
  expect(requests).toEqual([new Uint8Array(startup), new Uint8Array(query)]);
});

test('a message of 10 MB is one request', () => {
  const big = message('Q', `select '${'x'.repeat(10_000_000)}'\0`);
  const reader = new RequestReader();
  reader.push(startup);
  const parts = [reader.push(big.subarray(0, 5_000_000)), reader.push(big.subarray(5_000_000))];
  expect(parts.map(({ requests }) => requests.map(({ length }) => length))).toEqual([[], [big.length]]);
});

/** A message of the wire protocol. The first one of a connection has no type. */
function message(type: string | undefined, content: string): Buffer {
  const body = Buffer.from(content, 'latin1');
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type ?? '', 'latin1'), length, body]);
}
