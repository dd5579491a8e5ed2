import { ExecutorError, type Principal } from '@executor/protocol';

/** Refuses an agent, whatever the surface. `what` goes on after "Only a person can". */
export function onlyPerson({ kind }: Principal, what: string): void {
  if (kind === 'person') return;
  throw new ExecutorError('forbidden', `Only a person can ${what}; this request is an agent’s.`);
}
