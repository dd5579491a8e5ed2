/** A database URL without its password, safe to show. */
export function withoutPassword(url: string): string {
  try {
    const { protocol, username, host, pathname } = new URL(url);
    return `${protocol}//${username ? `${username}@` : ''}${host}${pathname}`;
  } catch {
    return 'the given URL';
  }
}
