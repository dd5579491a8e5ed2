import { expect, test } from 'vitest';
import { nearestPath } from './nearest-path.ts';

const paths = [
  'shop.orders.create',
  'shop.orders.list',
  'shop.carts.create',
  'shop.carts.checkOut',
  'shop.ping',
];

test.each([
  ['shop.orders.creat', 'shop.orders.create'],
  ['shop.order.list', 'shop.orders.list'],
  ['shop.ordes.lst', 'shop.orders.list'],
  ['shop.orders.checkout', 'shop.carts.checkOut'],
  ['shop.checkOut', 'shop.carts.checkOut'],
  ['shop.pong', 'shop.ping'],
  ['shop.nothing.alike', undefined],
  ['shop', undefined],
])('%s means %s', (wanted, meant) => {
  expect(nearestPath(wanted, paths)).toBe(meant);
});

test('among tens of thousands a slip is still found, and the rest is given up', () => {
  const many = Array.from({ length: 22_000 }, (_, number) => `graph.place${number % 700}.operation${number}`);
  expect(nearestPath('graph.place12.operaton12', many)).toBe('graph.place12.operation12');
  expect(nearestPath('graph.nowhere.at.all', many)).toBeUndefined();
});
