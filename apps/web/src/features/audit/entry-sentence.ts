import { type AuditEntry, decisionWords } from '@executor/protocol';

type Details = NonNullable<AuditEntry['details']>;

interface Subject {
  target: string | undefined;
  /** The key or session that was used. */
  credentialId: string | undefined;
  /** Looks up the name of a key. */
  keyNames: (id: string) => string | undefined;
}

const sentences: Record<string, (details: Details, subject: Subject) => string> = {
  'installation.provisioned': () => 'Executor was set up',
  'session.linkCreated': () => 'Created a sign-in link',
  'session.opened': () => 'Signed in to this page',
  'session.ended': () => 'Signed out',
  'apiKey.created': ({ name, kind, allowDialog }) =>
    `Created the ${kind} key “${name}”${allowDialog === true ? ', which may approve in its client’s dialog' : ''}`,
  'apiKey.changed': ({ allowDialog }, subject) =>
    `${allowDialog === true ? 'Allowed' : 'Stopped allowing'} ${keyOf(subject)} to approve in its client’s dialog`,
  'apiKey.revoked': (_, subject) => `Revoked ${keyOf(subject)}`,
  'oauth.clientAdmitted': ({ clientId, subject, issuer }) =>
    `The OAuth client “${clientId}” of “${subject}” (${issuer}) connected for the first time`,
  'settings.changed': (details) =>
    'workspaceName' in details && Object.keys(details).length === 1
      ? `Renamed the workspace${fromTo(details.workspaceName)}`
      : `Changed ${Object.entries(details)
          .map(([name, change]) => `${name}${fromTo(change)}`)
          .join(', ')}`,
  'execution.cancelled': (_, { target }) => `Cancelled the run ${target}`,
  'interaction.resolved': ({ action, path, through }, { credentialId, keyNames }) =>
    through === 'dialog'
      ? `The dialog of a client answered “${action}” to ${path}, with ${keyOf({ target: credentialId, keyNames })}`
      : `Answered “${action}” to ${path}`,
  'policy.created': ({ after }) => `Added the rule ${rule(after)}`,
  'policy.updated': ({ before, after }) => `Changed the rule ${rule(before)} to ${rule(after)}`,
  'policy.removed': ({ before }) => `Removed the rule ${rule(before)}`,
  'source.added': ({ namespace, toolCount }) => `Connected ${namespace}, with ${toolCount} tools`,
  'source.updated': ({ namespace, changed }) =>
    `Changed ${Array.isArray(changed) ? changed.join(', ') : ''} of ${namespace}`,
  'source.refreshed': ({ namespace, added, changed, removed }) =>
    `Refreshed ${namespace}: ${added} tools added, ${changed} changed, ${removed} removed`,
  'source.removed': ({ namespace }) => `Disconnected ${namespace}`,
  'presence.on': () => 'Turned on the PIN',
  'presence.off': () => 'Turned off the PIN',
  'presence.pinChanged': () => 'Changed the PIN',
  'presence.locked': () => 'Was locked after too many wrong PINs',
};

const credentials: Record<string, string> = {
  localToken: 'command line',
  session: 'web page',
  apiKey: 'API key',
  oauth: 'OAuth client',
  execution: 'a run',
  system: 'Executor itself',
};

/** An audit entry as a sentence. An unknown action is shown by its name. */
export function entrySentence(
  { action, details = {}, target, credentialId }: AuditEntry,
  keyNames: Subject['keyNames'] = () => undefined,
): string {
  return (
    sentences[action]?.(details, { target, credentialId, keyNames }) ??
    [action, target].filter(Boolean).join(' ')
  );
}

export function credentialPhrase({ credential }: AuditEntry): string {
  return credentials[credential] ?? credential;
}

function keyOf({ target = '', keyNames }: Pick<Subject, 'target' | 'keyNames'>): string {
  const name = keyNames(target);
  return name === undefined ? `the key ${target}` : `the key “${name}”`;
}

function fromTo(change: unknown): string {
  if (typeof change !== 'object' || change === null || !('from' in change) || !('to' in change)) return '';
  return ` from “${change.from}” to “${change.to}”`;
}

function rule(details: unknown): string {
  if (typeof details !== 'object' || details === null) return '';
  const { decision, pattern } = details as { decision?: unknown; pattern?: unknown };
  return `“${decisionWords[decision as keyof typeof decisionWords] ?? decision} ${pattern}”`;
}
