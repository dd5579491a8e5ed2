/** A database URL as it may be shown: no password, wherever in the URL it stands. */
export function withoutPassword(url: string): string {
  try {
    const { protocol, username, host, pathname } = new URL(url);
    return `${protocol}//${username ? `${username}@` : ''}${host}${pathname}`;
  } catch {
    return 'the given URL';
  }
}
