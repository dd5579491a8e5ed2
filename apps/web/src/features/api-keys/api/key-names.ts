import { useApiKeys } from './list-api-keys.ts';

/** What a person called the key with that id; undefined where that is no key, or not known yet. */
export function useKeyNames(): (id: string) => string | undefined {
  const { data } = useApiKeys();
  return (id) => data?.find((key) => key.id === id)?.name;
}
