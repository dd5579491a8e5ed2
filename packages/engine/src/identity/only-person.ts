import { ExecutorError, type Principal } from '@executor/protocol';

/** Rejects agents. `action` completes the sentence "Only a person can …". */
export function onlyPerson({ kind }: Principal, action: string): void {
  if (kind === 'person') return;
  throw new ExecutorError('forbidden', `Only a person can ${action}; this request is an agent’s.`);
}
