import {
  ExecutorError,
  type ExplainPolicy,
  type NewPolicy,
  type PageQuery,
  type Policy,
  type PolicyChange,
  type PolicyDecision,
  type PolicyExplanation,
  type Principal,
  type SavedPolicy,
} from '@executor/protocol';
import { auditEntry } from '../audit-entry.ts';
import { newId } from '../id.ts';
import { onlyPerson } from '../identity/only-person.ts';
import type { ExecutionRow } from '../ports/execution-store.ts';
import type { Meter } from '../ports/meter.ts';
import type { Page } from '../ports/page.ts';
import type { PolicyRow } from '../ports/policy-store.ts';
import type { Tool } from '../ports/source.ts';
import type { Store } from '../ports/store.ts';
import type { InputValidator } from '../validation/input-validator.ts';
import { unknownInput } from './condition.ts';
import { appliesTo, type Caller, decide, type RuledCall, type RuledTool } from './decide.ts';
import { explain, toPolicy } from './explain.ts';
import { JudgedInput } from './judged-input.ts';
import { narrowestRule } from './narrowest-rule.ts';
import { RuleCache } from './rule-cache.ts';
import { type KnownTools, ruleWarnings } from './rule-warnings.ts';

export type { Caller } from './decide.ts';

export interface Decision {
  decision: PolicyDecision;
  reason: string;
  policyId?: string;
}

interface Dependencies {
  store: Pick<Store, 'policies' | 'workspaces' | 'subscribe'>;
  now: () => Date;
  validator: InputValidator;
  tools: KnownTools;
}

interface SaveOptions {
  /** Rejects a rule that has warnings. */
  strict?: boolean | undefined;
}

type SeeingRun = Pick<ExecutionRow, 'workspaceId' | 'actorId' | 'clientId'>;
/** `conditional` rules hold for some inputs only. Code does not learn for which. */
type SeenRule = Pick<PolicyRow, 'id' | 'scope' | 'pattern' | 'decision'> & { conditional?: true };

/** The rules of a workspace, and the decisions that follow from them. */
export class Policies {
  readonly #store: Dependencies['store'];
  readonly #now: () => Date;
  readonly #validator: InputValidator;
  readonly #tools: KnownTools;
  readonly #rules: RuleCache;

  constructor({ store, now, validator, tools }: Dependencies) {
    this.#store = store;
    this.#now = now;
    this.#validator = validator;
    this.#tools = tools;
    this.#rules = new RuleCache({ store, now });
  }

  async list({ workspaceId }: Principal, page: PageQuery): Promise<Page<Policy>> {
    const { items, ...rest } = await this.#store.policies.list(workspaceId, page);
    return { items: items.map(toPolicy), ...rest };
  }

  /** The rules that code may see: those that decide its own calls, without their notes and conditions. */
  async seenBy({ workspaceId, actorId, clientId }: SeeingRun): Promise<SeenRule[]> {
    const rules = await this.#rules.get(workspaceId);
    return rules
      .filter(({ scope }) => scope.type !== 'actor' || scope.actorId === actorId)
      .filter(({ scope }) => scope.type !== 'client' || scope.clientId === clientId)
      .map(({ id, scope, pattern, conditions, decision }) => ({
        id,
        scope,
        pattern,
        decision,
        ...(conditions.length > 0 && { conditional: true }),
      }));
  }

  async create(principal: Principal, policy: NewPolicy, options?: SaveOptions): Promise<SavedPolicy> {
    onlyPerson(principal, 'change the rules');
    const row = await this.newRow(principal, policy);
    const warnings = await this.#warningsOf(row, options);
    await this.#store.policies.create(row, this.createdEntry(principal, row));
    this.#rules.forget(principal.workspaceId);
    return { ...toPolicy(row), ...warnings };
  }

  /** Makes the row of a new rule. Rejects a rule for an actor that does not exist. */
  async newRow({ workspaceId, actorId }: Principal, policy: NewPolicy): Promise<PolicyRow> {
    const { scope } = policy;
    if (scope.type === 'actor' && !(await this.#store.workspaces.describe(workspaceId, scope.actorId))) {
      throw new ExecutorError(
        'invalidRequest',
        `scope.actorId: there is no actor "${scope.actorId}" in this workspace.`,
      );
    }
    const at = this.#now();
    return { ...policy, id: newId('pol', at), workspaceId, createdBy: actorId, createdAt: at, updatedAt: at };
  }

  createdEntry(principal: Principal, row: PolicyRow) {
    return auditEntry(principal, row.createdAt, {
      action: 'policy.created',
      target: row.id,
      details: { after: ruleOf(row) },
    });
  }

  async update(
    principal: Principal,
    id: string,
    change: PolicyChange,
    options?: SaveOptions,
  ): Promise<SavedPolicy> {
    onlyPerson(principal, 'change the rules');
    if (Object.values(change).every((value) => value === undefined)) {
      throw new ExecutorError(
        'invalidRequest',
        'Nothing to change. Pass a pattern, conditions, a decision or a note.',
      );
    }
    const before = await this.#find(principal, id);
    const after = { ...before, ...change } as PolicyRow;
    const warnings = await this.#warningsOf(after, options);
    const audit = auditEntry(principal, this.#now(), {
      action: 'policy.updated',
      target: id,
      details: { before: ruleOf(before), after: ruleOf(after) },
    });
    const row = await this.#store.policies.update(principal.workspaceId, id, change, audit);
    this.#rules.forget(principal.workspaceId);
    if (row === undefined) throw noSuchPolicy(id);
    return { ...toPolicy(row), ...warnings };
  }

  async #warningsOf(row: PolicyRow, { strict = false }: SaveOptions = {}): Promise<{ warnings?: string[] }> {
    const warnings = await ruleWarnings(row, this.#tools, row.workspaceId).catch((error) => {
      // Tools that cannot be read must not keep anyone from denying them.
      if (strict) throw error;
      return [];
    });
    if (warnings.length === 0) return {};
    if (!strict) return { warnings };
    throw new ExecutorError('invalidRequest', `${warnings.join(' ')} The rule was not saved.`, {
      details: { warnings },
    });
  }

  async remove(principal: Principal, id: string): Promise<void> {
    onlyPerson(principal, 'change the rules');
    const before = await this.#find(principal, id);
    const audit = auditEntry(principal, this.#now(), {
      action: 'policy.removed',
      target: id,
      details: { before: ruleOf(before) },
    });
    const removed = await this.#store.policies.remove(principal.workspaceId, id, audit);
    this.#rules.forget(principal.workspaceId);
    if (!removed) throw noSuchPolicy(id);
  }

  async explain(principal: Principal, { path, input, clientId }: ExplainPolicy): Promise<PolicyExplanation> {
    const { workspaceId, actorId, kind } = principal;
    const tool = await this.#tools.find(workspaceId, path);
    const { note, value } = this.#examine(tool, path, input);
    const rules = await this.#rules.getFresh(workspaceId);
    const caller = { actorId, clientId };
    const judged =
      tool && note === undefined ? this.#complete(rules, { caller, tool, input: value }) : undefined;
    const call: RuledCall = {
      caller,
      tool: tool ?? { path, effect: 'write' },
      input: judged ?? value,
    };
    const isTooComplex = tool && note === undefined && judged === undefined;
    return explain(
      { rules, call, toolKnown: tool !== undefined, note: isTooComplex ? tooComplex : note },
      kind,
    );
  }

  /**
   * Adds the documented defaults of the fields that rules for this call look at to a checked input. Undefined if that takes too long.
   * With `fresh`, reads the rules from the database first.
   */
  async complete(
    caller: Caller,
    tool: Tool & RuledTool,
    input: unknown,
    { fresh = false, meter }: { fresh?: boolean; meter?: Meter | undefined } = {},
  ): Promise<JudgedInput | undefined> {
    const { workspaceId } = caller;
    const rules = await (fresh ? this.#rules.getFresh(workspaceId) : this.#rules.get(workspaceId));
    const work = () => this.#complete(rules, { caller, tool, input });
    return meter ? meter.measure(work) : work();
  }

  #complete(
    rules: readonly PolicyRow[],
    { caller, tool, input }: Pick<RuledCall, 'caller' | 'input'> & { tool: Tool & RuledTool },
  ): JudgedInput | undefined {
    const fields = lookedAt(rules.filter((rule) => appliesTo(rule, { caller, tool })));
    if (fields.length === 0) return new JudgedInput({ input, alternatives: [] }, input);
    const completed = this.#validator.complete(tool, input, fields);
    return completed && new JudgedInput(completed, input);
  }

  /** Decides on a call whose input is checked and complete. With `fresh`, reads the rules from the database first. */
  async decide(
    caller: Caller,
    tool: RuledTool,
    input: unknown,
    options?: { fresh: boolean },
  ): Promise<Decision> {
    const { workspaceId } = caller;
    const rules = await (options?.fresh ? this.#rules.getFresh(workspaceId) : this.#rules.get(workspaceId));
    const { decision, reason, rule } = decide(rules, { caller, tool, input });
    return { decision, reason, ...(rule && { policyId: rule.id }) };
  }

  /** The decision on each tool for this caller, by the rules without conditions. */
  async outlook(caller: Caller): Promise<(tool: RuledTool) => PolicyDecision> {
    const rules = await this.#rules.get(caller.workspaceId);
    return (tool) => decide(rules, { caller, tool, input: unknownInput }).decision;
  }

  /** The narrowest rule that would allow this call from now on; undefined if none could. */
  async ruleToRemember(caller: Caller, tool: RuledTool, input: unknown): Promise<NewPolicy | undefined> {
    return narrowestRule(await this.#rules.get(caller.workspaceId), { caller, tool, input });
  }

  /** The input to decide on, and a note if the question is unusual. */
  #examine(tool: Tool | undefined, path: string, input: unknown): { value: unknown; note?: string } {
    if (tool === undefined) {
      const note = `There is no tool ${path} now. This is the decision for a tool that writes.`;
      return { value: input === undefined ? unknownInput : input, note };
    }
    if (input === undefined)
      return { value: unknownInput, note: 'Without an input, rules with conditions do not match.' };
    const checked = this.#validator.check(tool, input);
    if (checked.type === 'valid') return { value: checked.input };
    return {
      value: input,
      note: `A call with this input is rejected before the rules are applied: ${checked.message}`,
    };
  }

  async #find({ workspaceId }: Principal, id: string): Promise<PolicyRow> {
    const rules = await this.#store.policies.all(workspaceId);
    const row = rules.find((rule) => rule.id === id);
    if (row === undefined) throw noSuchPolicy(id);
    return row;
  }
}

const tooComplex =
  'A call with this input is rejected before the rules are applied: its defaults take too long to find.';

/** The fields whose values decide. A default does not make a field present, so conditions on presence need none. */
function lookedAt(rules: readonly Pick<PolicyRow, 'conditions'>[]): string[] {
  const fields = rules.flatMap(({ conditions }) =>
    conditions.filter((condition) => !('exists' in condition)).map(({ field }) => field),
  );
  return [...new Set(fields)];
}

/** The parts of a rule that the audit keeps. */
function ruleOf({ scope, pattern, conditions, decision, note }: NewPolicy): Record<string, unknown> {
  return { scope, pattern, conditions, decision, ...(note !== undefined && { note }) };
}

function noSuchPolicy(id: string): ExecutorError {
  return new ExecutorError('notFound', `There is no policy "${id}". \`executor policy ls\` lists them.`);
}
