import type { Client } from '@executor/client';
import type { Call } from '@executor/protocol';

/** All calls of a run, page by page, in the order in which they were made. */
export async function allCalls(client: Client, id: string): Promise<Call[]> {
  const calls: Call[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.executions.calls({ id, limit: 200, ...(cursor !== undefined && { cursor }) });
    calls.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return calls;
}
