/**
 * The page's half of the browser session: a token, beside a cookie that the page cannot read. The server requires both. The token is in
 * localStorage, which unlike cookies belongs to one port. So all tabs of this server are signed in and out together, and no page of
 * another server has the token.
 */
export type SessionState =
  | { type: 'signedIn'; token: string }
  | { type: 'signedOut'; reason: 'noSession' | 'ended' | 'signedOut' };

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

/** Does nothing if another session has started: a late response to an old token must not end the new session. */
export function dropSession(token: string, reason: 'ended' | 'signedOut'): void {
  if (localStorage.getItem(storageKey) !== token) return;
  localStorage.removeItem(storageKey);
  change(read(reason));
}

function read(reason: 'noSession' | 'ended' | 'signedOut'): SessionState {
  const token = localStorage.getItem(storageKey);
  return token === null ? { type: 'signedOut', reason } : { type: 'signedIn', token };
}

function change(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

// The browser sends this event for changes by other tabs only.
addEventListener('storage', ({ key }) => {
  if (key === storageKey || key === null) change(read('signedOut'));
});
