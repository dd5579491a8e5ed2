import type { AuditEntry } from '@executor/protocol';

type Details = NonNullable<AuditEntry['details']>;

interface About {
  target: string | undefined;
  /** Which key or session it was done with. */
  credentialId: string | undefined;
  /** What people called a key. */
  keyNames: (id: string) => string | undefined;
}

const sentences: Record<string, (details: Details, about: About) => string> = {
  'installation.provisioned': () => 'Executor was set up',
  'session.linkCreated': () => 'Made a sign-in link',
  'session.opened': () => 'Signed in to this page',
  'session.ended': () => 'Signed out',
  'apiKey.created': ({ name, kind, allowDialog }) =>
    `Created the ${kind} key “${name}”${allowDialog === true ? ', which may approve in its client’s dialog' : ''}`,
  'apiKey.changed': ({ allowDialog }, about) =>
    `${allowDialog === true ? 'Allowed' : 'Stopped allowing'} ${keyOf(about)} to approve in its client’s dialog`,
  'apiKey.revoked': (_, about) => `Revoked ${keyOf(about)}`,
  'oauth.clientAdmitted': ({ clientId, subject, issuer }) =>
    `The OAuth client “${clientId}” of “${subject}” (${issuer}) came for the first time`,
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
    `Refreshed ${namespace}: ${added} tools new, ${changed} changed, ${removed} gone`,
  'source.removed': ({ namespace }) => `Disconnected ${namespace}`,
  'presence.on': () => 'Turned on the PIN',
  'presence.off': () => 'Turned off the PIN',
  'presence.pinChanged': () => 'Changed the PIN',
  'presence.locked': () => 'Was locked out after too many wrong PINs',
};

const credentials: Record<string, string> = {
  localToken: 'command line',
  session: 'web page',
  apiKey: 'API key',
  oauth: 'OAuth client',
  execution: 'a run',
  system: 'Executor itself',
};

/** What an audit entry says, in words; an action that this page does not know yet, as it is. */
export function entrySentence(
  { action, details = {}, target, credentialId }: AuditEntry,
  keyNames: About['keyNames'] = () => undefined,
): string {
  return (
    sentences[action]?.(details, { target, credentialId, keyNames }) ??
    [action, target].filter(Boolean).join(' ')
  );
}

export function credentialPhrase({ credential }: AuditEntry): string {
  return credentials[credential] ?? credential;
}

function keyOf({ target = '', keyNames }: Pick<About, 'target' | 'keyNames'>): string {
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
  return `“${decision} ${pattern}”`;
}
