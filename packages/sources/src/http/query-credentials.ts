/** A query with credentials. Appends as text, so that the other parts of the query are not re-encoded. */
export function withQuery(search: string, credentials: Record<string, string> = {}): string {
  const added = Object.entries(credentials).map(
    ([name, value]) => [encodeURIComponent(name), value] as const,
  );
  if (added.length === 0) return search;
  const names = new Set(added.map(([name]) => name));
  const kept = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !names.has(pair.split('=')[0] ?? ''));
  return `?${[...kept, ...added.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)].join('&')}`;
}
