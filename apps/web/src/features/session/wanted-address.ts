/**
 * The address that a user opened before the sign-in. The link of `executor web` opens in a new tab, so the address is kept in storage
 * that all tabs of this server share, for as long as a sign-in takes.
 */
const storageKey = 'executor.wanted';
const keptMs = 15 * 60_000;

export function keepWantedAddress(): void {
  const path = location.pathname + location.hash;
  if (location.pathname !== '/') localStorage.setItem(storageKey, JSON.stringify({ path, at: Date.now() }));
}

/** Returns only paths of this server, whatever is stored. */
export function takeWantedAddress(): string | undefined {
  const stored = localStorage.getItem(storageKey);
  localStorage.removeItem(storageKey);
  return stored === null ? undefined : readWanted(stored, Date.now());
}

export function readWanted(stored: string, now: number): string | undefined {
  try {
    const { path, at } = JSON.parse(stored);
    const isFresh = typeof at === 'number' && at <= now && now - at < keptMs;
    return isFresh && typeof path === 'string' && /^\/[\w.-]+(\/[\w.-]+)*(#\w+)?$/.test(path)
      ? path
      : undefined;
  } catch {
    return undefined;
  }
}
