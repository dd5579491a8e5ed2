import type { Policy, PolicyExplanation, PrincipalKind } from '@executor/protocol';
import type { PolicyRow } from '../ports/policy-store.ts';
import { conditionFailure } from './condition.ts';
import { appliesTo, compareRules, conditionsHold, decide, type RuledCall, type Verdict } from './decide.ts';

interface Question {
  rules: readonly PolicyRow[];
  call: RuledCall;
  /** Whether the tool exists now. */
  toolKnown: boolean;
  note?: string | undefined;
}

/**
 * Explains the decision on a call.
 *
 * A person sees every rule for this path and this caller. An agent sees the decision and the rule that made it, without its note. It sees
 * no other rule, because those say what others may do and what to try next. An agent cannot learn whether a denied tool exists, as in
 * discovery.
 */
export function explain(question: Question, asker: PrincipalKind): PolicyExplanation {
  const { rules, call, toolKnown, note } = question;
  const verdict = decide(rules, call);
  const { decision, reason, rule } = verdict;
  if (asker === 'person') {
    return {
      decision,
      reason,
      ...(rule && { policy: toPolicy(rule) }),
      considered: consideredRules(rules, call, verdict),
      ...(toolKnown && { tool: { path: call.tool.path, effect: call.tool.effect } }),
      ...(note !== undefined && { note }),
    };
  }
  const { note: _, ...policy } = rule ? toPolicy(rule) : {};
  const hidden = decision === 'deny';
  return {
    decision,
    reason,
    ...(rule && { policy: policy as Policy }),
    considered: rule ? [{ policy: policy as Policy, matched: true, why: 'It decides.' }] : [],
    ...(toolKnown && !hidden && { tool: { path: call.tool.path, effect: call.tool.effect } }),
    ...(note !== undefined && !hidden && { note }),
  };
}

export function toPolicy({ workspaceId: _, createdAt, updatedAt, ...policy }: PolicyRow): Policy {
  return { ...policy, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** The rule that decides, then the rules that match, then those that would for another input; each group strongest first. */
function consideredRules(
  rules: readonly PolicyRow[],
  call: RuledCall,
  { rule: winner }: Verdict<PolicyRow>,
): PolicyExplanation['considered'] {
  const rank = (rule: PolicyRow) => (rule === winner ? 0 : conditionsHold(rule, call.input) ? 1 : 2);
  return rules
    .filter((rule) => appliesTo(rule, call))
    .sort((a, b) => rank(a) - rank(b) || compareRules(b, a))
    .map((rule) => ({ policy: toPolicy(rule), matched: rank(rule) < 2, why: why(rule, call, winner) }));
}

function why(rule: PolicyRow, { input }: RuledCall, winner: PolicyRow | undefined): string {
  for (const condition of rule.conditions) {
    const failure = conditionFailure(condition, input, rule.decision);
    if (failure !== undefined) return `It does not match: ${failure}.`;
  }
  if (rule === winner || winner === undefined) return 'It decides.';
  if (rule.scope.type !== winner.scope.type)
    return `It matches. ${winner.id} decides: across scopes the strictest rule wins.`;
  return `It matches. ${winner.id} decides: it is more specific, or equally specific and at least as strict.`;
}
