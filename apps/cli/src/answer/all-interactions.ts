import type { Client } from '@executor/client';
import type { Interaction, InteractionStatus } from '@executor/protocol';
import { allItems } from '../server/items.ts';

/** Oldest first, because the oldest question has waited longest. */
export async function allInteractions(
  client: Client,
  query: { status: InteractionStatus; executionId?: string },
): Promise<Interaction[]> {
  const newestFirst = await allItems((page) => client.interactions.list({ ...query, ...page }));
  return newestFirst.reverse();
}
