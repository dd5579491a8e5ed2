import { deleteSessionKey } from './session-key.ts';

/**
 * The session of this browser: its id, which is no secret, beside a cookie and a key that no script can read. The id is in localStorage, so
 * that all tabs of this server are signed in and out together.
 */
export type SessionState =
  | { type: 'signedIn'; id: string; isEnding?: boolean }
  | { type: 'signedOut'; reason: 'noSession' | 'ended' | 'signedOut' | 'lostKey' | 'updated' };

type Reason = Extract<SessionState, { type: 'signedOut' }>['reason'];

const storageKey = 'executor.session';
const listeners = new Set<() => void>();
let state = readFirst();
let nonce: string | undefined;

export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentSession(): SessionState {
  return state;
}

export function startSession(id: string): void {
  const previous = localStorage.getItem(storageKey);
  localStorage.setItem(storageKey, id);
  if (previous !== null) void deleteSessionKey(previous).catch(() => {});
  change({ type: 'signedIn', id });
}

/**
 * Called when a server says that the session has ended. The server may be an impostor, so the session is kept: it is tried again when
 * another server process answers, and when the page is loaded. Does nothing if another session has started meanwhile.
 */
export function suspendSession(id: string, reason: 'ended' | 'lostKey'): void {
  if (state.type === 'signedIn' && state.id === id) change({ type: 'signedOut', reason });
}

/**
 * Ends the session with this request. The tab closes its event stream first: the server cuts off the streams of an ended session, and the
 * browser would report that as an error.
 */
export async function endSession(request: () => Promise<unknown>): Promise<void> {
  if (state.type === 'signedOut') return;
  const { id } = state;
  change({ type: 'signedIn', id, isEnding: true });
  try {
    await request();
  } catch (error) {
    if (state.type === 'signedIn' && state.id === id) change({ type: 'signedIn', id });
    throw error;
  }
  forgetSession(id);
}

function forgetSession(id: string): void {
  if (localStorage.getItem(storageKey) !== id) return;
  localStorage.removeItem(storageKey);
  void deleteSessionKey(id).catch(() => {});
  change({ type: 'signedOut', reason: 'signedOut' });
}

/** Called with the nonce of the server process that answers. Returns whether it may be another process than before. */
export function noticeProcess(current: string | undefined): boolean {
  if (current === undefined || current === nonce) return false;
  const isNew = nonce !== undefined;
  nonce = current;
  if (isNew && state.type === 'signedOut' && state.reason === 'ended') change(read('ended'));
  return isNew;
}

/** The page of earlier versions stored a token, which begins with `ext_`. Such sessions have ended. */
function readFirst(): SessionState {
  if (!localStorage.getItem(storageKey)?.startsWith('ext_')) return read('noSession');
  localStorage.removeItem(storageKey);
  return { type: 'signedOut', reason: 'updated' };
}

function read(reason: Reason): SessionState {
  const id = localStorage.getItem(storageKey);
  return id === null ? { type: 'signedOut', reason } : { type: 'signedIn', id };
}

function change(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

// The browser sends this event for changes by other tabs only.
addEventListener('storage', ({ key }) => {
  if (key === storageKey || key === null) change(read('signedOut'));
});
