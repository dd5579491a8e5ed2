/**
 * The page's half of the browser session: a token that the page holds beside a cookie that it cannot read. Neither is worth anything
 * without the other. The token lives in localStorage, which, unlike cookies, belongs to one port; so all tabs of this server, and no page
 * of another one, are signed in and out together.
 */
export type SessionState =
  | { type: 'signedIn'; token: string }
  | { type: 'signedOut'; reason: 'noSession' | 'ended' | 'left' };

const storageKey = 'executor.session';
const listeners = new Set<() => void>();
let state = read('noSession');

export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentSession(): SessionState {
  return state;
}

export function startSession(token: string): void {
  localStorage.setItem(storageKey, token);
  change(read('noSession'));
}

/** Only if it is still this token's session: a late answer to an old token must not end the session that came after it. */
export function dropSession(token: string, reason: 'ended' | 'left'): void {
  if (localStorage.getItem(storageKey) !== token) return;
  localStorage.removeItem(storageKey);
  change(read(reason));
}

function read(reason: 'noSession' | 'ended' | 'left'): SessionState {
  const token = localStorage.getItem(storageKey);
  return token === null ? { type: 'signedOut', reason } : { type: 'signedIn', token };
}

function change(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

// The browser sends this event for changes by other tabs only.
addEventListener('storage', ({ key }) => {
  if (key === storageKey || key === null) change(read('left'));
});
