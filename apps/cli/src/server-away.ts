/** How long a server is waited for that was there: a restart may wait a minute for a write that is under way. */
export const serverAwayMs = 90_000;
