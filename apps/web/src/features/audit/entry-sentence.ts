import type { AuditEntry } from '@executor/protocol';

type Details = NonNullable<AuditEntry['details']>;

const sentences: Record<string, (details: Details, target: string | undefined) => string> = {
  'installation.provisioned': () => 'Executor was set up',
  'session.linkCreated': () => 'Made a sign-in link',
  'session.opened': () => 'Signed in to this page',
  'session.ended': () => 'Signed out',
  'apiKey.created': ({ name, kind }) => `Created the ${kind} key “${name}”`,
  'apiKey.revoked': (_, target) => `Revoked the key ${target}`,
  'settings.changed': ({ workspaceName }) => `Renamed the workspace${fromTo(workspaceName)}`,
};

const credentials: Record<string, string> = {
  localToken: 'command line',
  session: 'web page',
  apiKey: 'API key',
  system: 'Executor itself',
};

/** What an audit entry says, in words; an action that this page does not know yet, as it is. */
export function entrySentence({ action, details = {}, target }: AuditEntry): string {
  return sentences[action]?.(details, target) ?? [action, target].filter(Boolean).join(' ');
}

export function credentialPhrase({ credential }: AuditEntry): string {
  return credentials[credential] ?? credential;
}

function fromTo(change: unknown): string {
  if (typeof change !== 'object' || change === null || !('from' in change) || !('to' in change)) return '';
  return ` from “${change.from}” to “${change.to}”`;
}
