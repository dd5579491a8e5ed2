import type { Client } from '@executor/client';
import type { Interaction, InteractionStatus } from '@executor/protocol';

/** All of a list, page by page, the oldest first: what waits longest comes first. */
export async function allInteractions(
  client: Client,
  query: { status: InteractionStatus; executionId?: string },
): Promise<Interaction[]> {
  const items: Interaction[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.interactions.list({
      ...query,
      limit: 200,
      ...(cursor !== undefined && { cursor }),
    });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items.reverse();
}
