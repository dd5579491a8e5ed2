import type { Client } from '@executor/client';
import { expect, test } from 'vitest';
import { completeId } from './complete-id.ts';

const ids = ['0d', '0cb', '0ca', '0b', '0a'].map((start) => `exe_${start.padEnd(26, '0')}`);

/** A server that lists two runs a page and counts its pages. */
function server(...listed: string[]) {
  const state = { pages: 0 };
  const all = listed.length > 0 ? listed : ids;
  const list = async ({ cursor = '0' }: { cursor?: string }) => {
    state.pages += 1;
    const from = Number(cursor);
    const items = all.slice(from, from + 2).map((id) => ({ id }));
    return { items, ...(from + 2 < all.length && { nextCursor: String(from + 2) }) };
  };
  return { state, client: { executions: { list } } as unknown as Client };
}

test('A unique prefix is completed, reading no more pages than needed', async () => {
  const { client, state } = server();
  expect(await completeId(client, 'execution', 'exe_0d')).toBe(ids[0]);
  expect(state.pages).toBe(1);
  expect(await completeId(client, 'execution', 'exe_0a')).toBe(ids[4]);
});

test('A whole id and other text need no list', async () => {
  const { client, state } = server();
  for (const text of [ids[2] as string, 'github', ''])
    expect(await completeId(client, 'execution', text)).toBe(text);
  expect(state.pages).toBe(0);
});

test('An unknown prefix is returned unchanged, an ambiguous one lists the candidates', async () => {
  const { client } = server();
  expect(await completeId(client, 'execution', 'exe_0e')).toBe('exe_0e');
  await expect(completeId(client, 'execution', 'exe_0c')).rejects.toMatchObject({
    code: 'usage',
    message: `Several ids begin with "exe_0c":\n  ${ids[1]}\n  ${ids[2]}`,
    details: { candidates: [ids[1], ids[2]] },
  });
});

test('An id that a table cut in the middle matches by its beginning and its end', async () => {
  const { client } = server(
    'exe_0c1000000000000000000000a1',
    'exe_0c1000000000000000000000b1',
    ids[4] as string,
  );
  expect(await completeId(client, 'execution', 'exe_0c1…0000b1')).toBe('exe_0c1000000000000000000000b1');
  expect(await completeId(client, 'execution', 'exe_0a…')).toBe(ids[4]);
  expect(await completeId(client, 'execution', 'exe_0c1…0000c1')).toBe('exe_0c1…0000c1');
  await expect(completeId(client, 'execution', 'exe_0c…1')).rejects.toMatchObject({
    code: 'usage',
    message:
      'Several ids match "exe_0c…1":\n  exe_0c1000000000000000000000a1\n  exe_0c1000000000000000000000b1',
  });
});

test('Text with two cuts is returned unchanged without a list', async () => {
  const { client, state } = server();
  expect(await completeId(client, 'execution', 'exe_0…0…0')).toBe('exe_0…0…0');
  expect(state.pages).toBe(0);
});
