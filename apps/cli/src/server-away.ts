/** How long to wait for a server that stopped answering. A restart may wait a minute for a write in flight. */
export const serverAwayMs = 90_000;
