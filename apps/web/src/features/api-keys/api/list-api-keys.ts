import type { Client } from '@executor/client';
import type { ApiKey } from '@executor/protocol';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

export function useApiKeys() {
  const client = useClient();
  return useQuery({ queryKey: ['workspace', 'apiKeys'], queryFn: () => listAll(client) });
}

/** All pages: a live key may be older than any number of revoked ones. */
async function listAll(client: Client): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.apiKeys.list({ limit: 200, cursor });
    keys.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return keys;
}
