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

const likeliest = (wanted: string, among: string[] = paths) => {
  const { slips, alike } = nearestPaths(wanted, among);
  return [...slips, ...alike];
};

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
])('the nearest path to %s is %s', (wanted, meant) => {
  expect(likeliest(wanted)[0]).toBe(meant);
});

test('an ambiguous path has several suggestions', () => {
  expect(likeliest('shop.cart.createOrder')).toEqual(['shop.carts.create', 'shop.orders.create']);
});

test('a different word is no typing mistake, even if few letters differ', () => {
  const comments = ['shop.orders.getComment', 'shop.orders.create', 'shop.orders.list'];
  expect(nearestPaths('shop.orders.addComment', comments).slips).toEqual([]);
  expect(nearestPaths('shop.orders.search', comments).slips).toEqual([]);
  expect(nearestPaths('shop.orders.getComent', comments).slips).toEqual(['shop.orders.getComment']);
});

test('among tens of thousands of paths typing mistakes are found, and similar words are not compared', () => {
  const many = Array.from({ length: 22_000 }, (_, number) => `graph.place${number % 700}.operation${number}`);
  expect(nearestPaths('graph.place12.operaton12', many).slips).toEqual(['graph.place12.operation12']);
  expect(likeliest('graph.nowhere.at.all', many)).toEqual([]);
});
