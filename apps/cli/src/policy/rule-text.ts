import { decisionWords, type NewPolicy, type PolicyScope, printable } from '@executor/protocol';
import { conditionText } from './condition.ts';

/** A rule in one sentence: `allow github.issues.create when repo=executor, for the client cursor`. */
export function ruleText({ decision, pattern, conditions = [], scope }: RuleParts): string {
  const when = conditions.length > 0 ? ` when ${conditions.map(conditionText).join(' and ')}` : '';
  const whose = scope && scope.type !== 'workspace' ? `, for ${scopeText(scope)}` : '';
  return printable(`${decisionWords[decision]} ${pattern}${when}${whose}`);
}

/** The note of a rule on a line of its own, shown before the rule is saved. */
export function noteLine({ note }: Pick<NewPolicy, 'note'>): string {
  return note ? `\n  ${printable(note)}` : '';
}

type RuleParts = Pick<NewPolicy, 'decision' | 'pattern'> & Partial<Pick<NewPolicy, 'conditions' | 'scope'>>;

export function scopeText(scope: PolicyScope, nameOf = (actorId: string) => `the actor ${actorId}`): string {
  switch (scope.type) {
    case 'workspace':
      return 'everyone';
    case 'actor':
      return nameOf(scope.actorId);
    case 'client':
      return `the client ${scope.clientId}`;
  }
}
