import {
  decisionWords,
  type PolicyDecision,
  type PolicyScope,
  type SourceApproval,
} from '@executor/protocol';
import type { PolicyRow } from '../ports/policy-store.ts';
import type { Tool } from '../ports/source.ts';
import { conditionHolds } from './condition.ts';
import { compareSpecificity, patternCovers } from './pattern.ts';

/*
 * Decides on a call: allow, ask or deny.
 *
 * - Defaults count only if no rule matches: allow reads, ask before everything else. A user may choose other defaults for the reads and
 *   writes of a source; a destructive call always needs a rule to be allowed.
 * - Executor asks before a write that a refresh added and nobody has reviewed, even if a rule allows it.
 * - Within one scope the most specific rule wins: first by its pattern, then by its number of conditions. A tie goes to the stricter rule.
 * - Across scopes the strictest winner wins, so no rule for an actor or client can allow a call that the workspace denies.
 * - The order of the rules never matters.
 */

/** Who makes the call. */
export interface Caller {
  workspaceId: string;
  actorId: string;
  /** The name that the client chose for itself. Nothing proves it. */
  clientId?: string | undefined;
}

export interface RuledTool extends Pick<Tool, 'path' | 'effect'> {
  /** The defaults of its source. */
  approval?: SourceApproval;
  /** A refresh of its source added it, and nobody has reviewed it. */
  unseen?: true;
}

export interface RuledCall {
  caller: Pick<Caller, 'actorId' | 'clientId'>;
  tool: RuledTool;
  /** Checked against the tool's schema, with defaults filled in: a value or a `JudgedInput`; or `unknownInput`. */
  input: unknown;
}

export type Rule = Pick<PolicyRow, 'id' | 'scope' | 'pattern' | 'conditions' | 'decision'>;

export interface Verdict<R extends Rule = Rule> {
  decision: PolicyDecision;
  /** May be shown to an agent: it names the rule that decided and no other. */
  reason: string;
  rule?: R;
}

export function decide<R extends Rule>(rules: readonly R[], call: RuledCall): Verdict<R> {
  const verdict = decideReviewed(rules, call);
  if (verdict.decision !== 'allow' || !call.tool.unseen) return verdict;
  const review = 'But a refresh added this tool and nobody has reviewed it yet, so Executor asks.';
  return { ...verdict, decision: 'requireApproval', reason: `${verdict.reason} ${review}` };
}

/** The decision as if every tool had been reviewed. */
function decideReviewed<R extends Rule>(rules: readonly R[], call: RuledCall): Verdict<R> {
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

/** Whether the rule covers this caller and this path, for some input. */
export function appliesTo(rule: Rule, { caller, tool }: Pick<RuledCall, 'caller' | 'tool'>): boolean {
  return inScope(rule.scope, caller) && patternCovers(rule.pattern, tool.path);
}

export function conditionsHold(rule: Pick<Rule, 'conditions' | 'decision'>, input: unknown): boolean {
  return rule.conditions.every((condition) => conditionHolds(condition, input, rule.decision));
}

/** Orders two rules of one scope that match the same call: above 0 if the first wins. Ids make it a total order. */
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
  const whose = chosen === undefined ? '' : ' of this source';
  const allowed = chosen === undefined ? effect === 'read' : chosen === 'auto';
  const decision = allowed ? 'allow' : 'requireApproval';
  return {
    decision,
    reason: `No rule matches. The default for ${calls}${whose} is ${decisionWords[decision]}.`,
  };
}

const scopeWords = {
  workspace: 'the workspace',
  actor: 'this actor',
  client: 'this client',
} as const satisfies Record<PolicyScope['type'], string>;

function reasonOf({ id, scope, pattern, conditions, decision }: Rule): string {
  const fields = [...new Set(conditions.map(({ field }) => field))].join(', ');
  const when = fields && `, on ${fields}`;
  return `Rule ${id} for ${scopeWords[scope.type]} (${pattern}${when}) says ${decisionWords[decision]}.`;
}
