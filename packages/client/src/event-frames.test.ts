import { expect, test } from 'vitest';
import { type EventFrame, EventFrameParser } from './event-frames.ts';

const stream =
  '\ufeffretry: 500\nid: start\n\n: still here\n\nid: 1\nevent: log\ndata: {"a":"ü😀"}\n\nid:2\r\ndata:one\r\ndata: two\r\n\r\nid\ndata\n\ndata: unfinished';

const frames: EventFrame[] = [
  { retryMs: 500, id: 'start' },
  { id: '1', data: '{"a":"ü😀"}' },
  { id: '2', data: 'one\ntwo' },
  { id: '', data: '' },
];

test('A stream is read the same way wherever its chunks are split', () => {
  const bytes = new TextEncoder().encode(stream);
  for (let size = 1; size <= bytes.length; size++) {
    const parser = new EventFrameParser();
    const read: EventFrame[] = [];
    for (let from = 0; from < bytes.length; from += size)
      read.push(...parser.push(bytes.subarray(from, from + size)));
    expect(read, `pieces of ${size}`).toEqual(frames);
  }
});

test('Invalid UTF-8 is rejected', () => {
  expect(() => new EventFrameParser().push(new Uint8Array([0x64, 0xff]))).toThrow();
});
