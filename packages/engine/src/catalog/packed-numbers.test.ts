import { expect, test } from 'vitest';
import { NumberPacker, NumberReader } from './packed-numbers.ts';

test('numbers of any size and count are read as they were packed', () => {
  const numbers = [0, 1, 127, 128, 16_383, 16_384, 0x7fffffff, 0xffffffff];
  const packer = new NumberPacker();
  for (let round = 0; round < 20_000; round++) for (const number of numbers) packer.push(number);
  const pieces = packer.finish();
  expect(pieces.length).toBeGreaterThan(1);
  const reader = new NumberReader(pieces);
  expect(reader.numbers.length).toBe(20_000 * numbers.length);
  for (let round = 0; round < 20_000; round += 1_999) {
    reader.position = round * numbers.length;
    expect(numbers.map(() => reader.next())).toEqual(numbers);
  }
});

test('lists are read in their order, including empty ones', () => {
  const packer = new NumberPacker();
  for (const list of [[7, 300], [], [1]]) packer.pushList(list);
  const reader = new NumberReader(packer.finish());
  const lists = [reader.list(), reader.list(), reader.list()];
  expect(lists.map(({ from, to }) => [...reader.numbers.subarray(from, to)])).toEqual([[7, 300], [], [1]]);
  expect(reader.isAtEnd).toBe(true);
});

test('a truncated list is rejected', () => {
  const packer = new NumberPacker();
  packer.push(3);
  packer.push(1);
  expect(() => new NumberReader(packer.finish()).list()).toThrow('fewer numbers');
  expect(() => new NumberReader([]).next()).toThrow('fewer numbers');
});
