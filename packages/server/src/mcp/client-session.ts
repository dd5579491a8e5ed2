import { randomUUID } from 'node:crypto';
import { type ClientDialogs, dialogsOf } from './dialog/client-dialogs.ts';

/** The session header of clients before protocol version 2026-07-28. */
export const mcpSessionHeader = 'mcp-session-id';

/**
 * Creates a session id. The id itself holds the client's name and dialog kinds, so no server stores sessions and they survive restarts.
 * A session grants no rights. It only distinguishes two clients that use the same key.
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

/** A client chooses its own name, and Executor shows it to users. So the name is cut, and invisible characters are removed. */
export function shortName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const plain = name.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFD]/gu, '').trim();
  return plain === '' ? undefined : [...plain].slice(0, 60).join('');
}
