import type { PolicyDecision, PolicyScope, SourceApproval } from '@executor/protocol';
import type { PolicyRow } from '../ports/policy-store.ts';
import type { Tool } from '../ports/source.ts';
import { conditionHolds } from './condition.ts';
import { compareSpecificity, patternCovers } from './pattern.ts';

/*
 * What the rules make of a call.
 *
 * - Only explicit rules are weighed. Where none matches, reads are allowed and everything else requires approval, unless a person chose
 *   otherwise for the source; a destructive call is never allowed without a rule.
 * - A write that came with a refresh and that nobody has looked at requires approval, whatever allows it.
 * - Within one scope the most specific rule wins: by its pattern, then by how many conditions it has; a tie goes to the stricter.
 * - Across scopes the strictest of the winners wins, so what the workspace denies nobody inside can allow.
 * - The order in which rules are given never matters.
 */

/** Whose call is decided on. */
export interface Caller {
  workspaceId: string;
  actorId: string;
  /** What the client calls itself; nothing proves it. */
  clientId?: string | undefined;
}

export interface RuledTool extends Pick<Tool, 'path' | 'effect'> {
  /** What holds for its source where no rule matches. */
  approval?: SourceApproval;
  unseen?: true;
}

export interface RuledCall {
  caller: Pick<Caller, 'actorId' | 'clientId'>;
  tool: RuledTool;
  /** Checked against the tool's schema, with defaults filled in. */
  input: unknown;
}

export type Rule = Pick<PolicyRow, 'id' | 'scope' | 'pattern' | 'conditions' | 'decision'>;

export interface Verdict<R extends Rule = Rule> {
  decision: PolicyDecision;
  /** One sentence. It can reach an agent: it names the rule that decided and nothing of the others. */
  reason: string;
  rule?: R;
}

export function decide<R extends Rule>(rules: readonly R[], call: RuledCall): Verdict<R> {
  const verdict = decideBySight(rules, call);
  if (verdict.decision !== 'allow' || !call.tool.unseen) return verdict;
  const but =
    'but it came with a refresh of its source and nobody has looked at it yet, so it needs approval';
  return { ...verdict, decision: 'requireApproval', reason: `${verdict.reason.replace(/\.$/, '')}, ${but}.` };
}

/** As if everything had been looked at. */
function decideBySight<R extends Rule>(rules: readonly R[], call: RuledCall): Verdict<R> {
  const winners = new Map<PolicyScope['type'], R>();
  for (const rule of rules) {
    if (!appliesTo(rule, call) || !conditionsHold(rule, call.input)) continue;
    const rival = winners.get(rule.scope.type);
    if (rival === undefined || compareRules(rule, rival) > 0) winners.set(rule.scope.type, rule);
  }
  const rule = strictest(winners);
  if (rule === undefined) return byDefault(call.tool);
  return { decision: rule.decision, reason: reasonOf(rule), rule };
}

/** Whether the rule is for this caller and this path, whatever the input. */
export function appliesTo(rule: Rule, { caller, tool }: Pick<RuledCall, 'caller' | 'tool'>): boolean {
  return inScope(rule.scope, caller) && patternCovers(rule.pattern, tool.path);
}

export function conditionsHold(rule: Pick<Rule, 'conditions' | 'decision'>, input: unknown): boolean {
  return rule.conditions.every((condition) => conditionHolds(condition, input, rule.decision));
}

/** Above 0 where the first is the stronger of two rules of one scope that match the same call. Ids make it a total order. */
export function compareRules(a: Rule, b: Rule): number {
  return (
    compareSpecificity(a.pattern, b.pattern) ||
    a.conditions.length - b.conditions.length ||
    strictness[a.decision] - strictness[b.decision] ||
    (a.id < b.id ? 1 : -1)
  );
}

export const strictness = { allow: 0, requireApproval: 1, deny: 2 } as const satisfies Record<
  PolicyDecision,
  number
>;

function inScope(scope: PolicyScope, { actorId, clientId }: RuledCall['caller']): boolean {
  switch (scope.type) {
    case 'workspace':
      return true;
    case 'actor':
      return scope.actorId === actorId;
    case 'client':
      return scope.clientId === clientId;
  }
}

function strictest<R extends Rule>(winners: Map<PolicyScope['type'], R>): R | undefined {
  let chosen: R | undefined;
  for (const scope of ['workspace', 'actor', 'client'] as const) {
    const winner = winners.get(scope);
    if (winner === undefined) continue;
    if (chosen === undefined || strictness[winner.decision] > strictness[chosen.decision]) chosen = winner;
  }
  return chosen;
}

function byDefault({ effect, approval = {} }: RuledTool): Verdict<never> {
  const calls = effect === 'read' ? 'reads' : effect === 'write' ? 'writes' : 'destructive calls';
  const chosen = effect === 'destructive' ? undefined : approval[effect];
  const of = chosen === undefined ? '' : ' of this source';
  const allowed = chosen === undefined ? effect === 'read' : chosen === 'auto';
  return allowed
    ? { decision: 'allow', reason: `No rule matches, and ${calls}${of} are allowed then.` }
    : { decision: 'requireApproval', reason: `No rule matches, and ${calls}${of} need approval then.` };
}

const verbs = {
  allow: 'allows it',
  requireApproval: 'requires approval',
  deny: 'denies it',
} as const satisfies Record<PolicyDecision, string>;

const scopeWords = {
  workspace: 'the workspace',
  actor: 'this actor',
  client: 'this client',
} as const satisfies Record<PolicyScope['type'], string>;

function reasonOf({ id, scope, pattern, conditions, decision }: Rule): string {
  const fields = [...new Set(conditions.map(({ field }) => field))].join(', ');
  const when = fields && `, on ${fields}`;
  return `The rule ${id} for ${scopeWords[scope.type]} (${pattern}${when}) ${verbs[decision]}.`;
}
