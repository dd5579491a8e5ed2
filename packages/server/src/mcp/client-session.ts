import { randomUUID } from 'node:crypto';
import { type ClientDialogs, dialogsOf } from './client-dialogs.ts';

/** The header by which clients before 2026-07-28 say which session a request belongs to. */
export const mcpSessionHeader = 'mcp-session-id';

/**
 * A session of a client is nothing but its name for itself: no server keeps it, so it outlives every server, and it lets nobody do
 * anything. It tells two clients of one key apart, and what the client said of itself when it introduced itself: its name, and the dialogs
 * that it has.
 */
export function newClientSession(introduction: {
  clientInfo?: { name?: unknown };
  capabilities?: unknown;
}): string {
  const name = shortName(introduction.clientInfo?.name) ?? '';
  const { form, url } = dialogsOf(introduction.capabilities);
  return [randomUUID(), Buffer.from(name).toString('base64url'), `${form ? 'f' : ''}${url ? 'u' : ''}`].join(
    '.',
  );
}

export function clientNameOf(session: string): string | undefined {
  const [, encoded] = session.split('.', 2);
  return encoded === undefined ? undefined : shortName(Buffer.from(encoded, 'base64url').toString());
}

export function clientDialogsOf(session: string): ClientDialogs {
  const [, , dialogs = ''] = session.split('.', 3);
  return { form: dialogs.includes('f'), url: dialogs.includes('u') };
}

/** What a client says of itself is kept with its runs and shown to people: short, and without anything that could disguise it. */
export function shortName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const plain = name.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFD]/gu, '').trim();
  return plain === '' ? undefined : [...plain].slice(0, 60).join('');
}
