import type { Client } from '@executor/client';
import { ExecutorError } from '@executor/protocol';
import { itemsOf } from './items.ts';

/** Where each kind of id is listed. The server lists ids in descending order. */
const lists = {
  execution: (client: Client) => itemsOf((page) => client.executions.list(page)),
  interaction: (client: Client) => itemsOf((page) => client.interactions.list(page)),
  policy: (client: Client) => itemsOf((page) => client.policies.list(page)),
  key: (client: Client) => itemsOf((page) => client.apiKeys.list(page)),
  session: (client: Client) => itemsOf((page) => client.sessions.list(page)),
} as const;

const maxShown = 10;

/**
 * Completes an id that the user shortened to its beginning, or that a table cut in the middle (`exe_06gy…7jc`). If no id matches the text,
 * it is returned unchanged, and the server reports it.
 */
export async function completeId(client: Client, kind: keyof typeof lists, text: string): Promise<string> {
  if (/^[a-z]+_[\da-z]{26}$/.test(text) || !/^[a-z]+_[\da-z]*(…[\da-z]*)?$/.test(text)) return text;
  const [start = '', end = ''] = text.split('…');
  const found: string[] = [];
  for await (const { id } of lists[kind](client)) {
    if (id.startsWith(start) && id.endsWith(end)) found.push(id);
    else if (id < start) break;
  }
  if (found.length < 2) return found[0] ?? text;
  const shown = found.slice(0, maxShown).map((id) => `\n  ${id}`);
  const others = found.length > maxShown ? `\n  and ${found.length - maxShown} more` : '';
  const matches = end === '' ? `begin with "${start}"` : `match "${text}"`;
  throw new ExecutorError('usage', `Several ids ${matches}:${shown.join('')}${others}`, {
    details: { candidates: found.slice(0, maxShown) },
  });
}
