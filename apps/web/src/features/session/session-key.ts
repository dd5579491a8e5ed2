import { ExecutorError, type SessionKey } from '@executor/protocol';

/**
 * The key with which the page signs its requests. The browser keeps it in IndexedDB, which unlike cookies belongs to one port. No script can
 * read it, so a program that takes the port while Executor is stopped cannot take the key along.
 */
const databaseName = 'executor';
const storeName = 'keys';
/** The key of a sign-in that has not succeeded yet. It must not replace the key of an existing session. */
const pending = 'pending';

/** Creates a key and makes sure that this browser can store it, before a link is used up. */
export async function newSessionKey(): Promise<{ publicKey: SessionKey; privateKey: CryptoKey }> {
  // Browsers have no such functions on pages that came over plain HTTP from another machine.
  if (globalThis.crypto?.subtle === undefined || !isSecureContext) throw insecurePage();
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  await change((keys) => keys.put(pair.privateKey, pending)).catch((cause) => {
    throw noStorage(cause);
  });
  return { publicKey: { kty: 'EC', crv: 'P-256', x, y }, privateKey: pair.privateKey };
}

export async function keepSessionKey(sessionId: string, key: CryptoKey): Promise<void> {
  await change((keys) => {
    keys.delete(pending);
    return keys.put(key, sessionId);
  });
}

/** Undefined if the browser has lost it. */
export function loadSessionKey(sessionId: string): Promise<CryptoKey | undefined> {
  return inStore('readonly', (keys) => keys.get(sessionId));
}

export async function deleteSessionKey(sessionId: string): Promise<void> {
  await change((keys) => keys.delete(sessionId));
}

const change = (work: (keys: IDBObjectStore) => IDBRequest) => inStore('readwrite', work);

async function inStore<Result>(
  mode: IDBTransactionMode,
  work: (keys: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await open();
  try {
    const transaction = database.transaction(storeName, mode);
    const request = work(transaction.objectStore(storeName));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    return request.result;
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('another tab blocks it'));
  });
}

function insecurePage(): ExecutorError {
  return new ExecutorError(
    'invalidRequest',
    `Browsers let only HTTPS pages and pages of this machine hold a key, and ${location.origin} is neither. Put a TLS proxy in front of Executor, or forward its port to this machine: \`ssh -L 8788:127.0.0.1:8788 HOST\`.`,
  );
}

function noStorage(cause: unknown): ExecutorError {
  return new ExecutorError(
    'invalidRequest',
    'This browser does not let the page store a key (IndexedDB). A private window or a setting may forbid it. The link is still valid: open it in an ordinary window.',
    { cause },
  );
}
