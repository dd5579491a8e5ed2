import type { Client } from '@executor/client';
import type { ApiKey } from '@executor/protocol';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

export function useApiKeys() {
  const client = useClient();
  return useQuery({ queryKey: ['workspace', 'apiKeys'], queryFn: () => listAll(client) });
}

/** Looks up the name of a key by its id. Undefined for other ids, and until the keys are loaded. */
export function useKeyNames(): (id: string) => string | undefined {
  const { data } = useApiKeys();
  return (id) => data?.find((key) => key.id === id)?.name;
}

/** Reads all pages, because an active key can be older than any number of revoked ones. */
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
