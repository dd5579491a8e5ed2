import { expect, test } from 'vitest';
import { nearestPaths } from './nearest-paths.ts';

const paths = [
  'shop.orders.create',
  'shop.orders.list',
  'shop.carts.create',
  'shop.carts.checkOut',
  'shop.pulls.merge',
  'shop.ping',
];

test.each([
  ['shop.orders.creat', 'shop.orders.create'],
  ['shop.order.list', 'shop.orders.list'],
  ['shop.ordes.lst', 'shop.orders.list'],
  ['shop.orders.checkout', 'shop.carts.checkOut'],
  ['shop.checkOut', 'shop.carts.checkOut'],
  ['shop.pong', 'shop.ping'],
  ['shop.pulls.mergePullRequest', 'shop.pulls.merge'],
  ['shop.nothing.alike', undefined],
  ['shop', undefined],
])('%s means %s', (wanted, meant) => {
  expect(nearestPaths(wanted, paths)[0]).toBe(meant);
});

test('several are offered where several may be meant', () => {
  expect(nearestPaths('shop.cart.createOrder', paths)).toEqual(['shop.carts.create', 'shop.orders.create']);
});

test('among tens of thousands a slip is still found, and the rest is given up', () => {
  const many = Array.from({ length: 22_000 }, (_, number) => `graph.place${number % 700}.operation${number}`);
  expect(nearestPaths('graph.place12.operaton12', many)[0]).toBe('graph.place12.operation12');
  expect(nearestPaths('graph.nowhere.at.all', many)).toEqual([]);
});
