import { isDeepStrictEqual } from 'node:util';
import {
  type CallOutcome,
  type Execution,
  ExecutorError,
  type Interaction,
  type InteractionQuery,
  type Principal,
  type Resolution,
  type ResolutionOfSeveral,
  type ResolvedSeveral,
  toExecutorError,
} from '@executor/protocol';
import { auditEntry } from '../audit-entry.ts';
import { onlyPerson } from '../identity/only-person.ts';
import { ownerOf } from '../identity/owner.ts';
import type { RuledTool } from '../policy/decide.ts';
import type { Policies } from '../policy/policies.ts';
import type { NewAuditEntry } from '../ports/audit-store.ts';
import type { AskedRow, InteractionRow, ResolutionRow } from '../ports/interaction-store.ts';
import type { Page } from '../ports/page.ts';
import type { PolicyRow } from '../ports/policy-store.ts';
import type { Store } from '../ports/store.ts';
import type { PresenceGuard } from '../presence/presence-guard.ts';
import type { InputValidator } from '../validation/input-validator.ts';
import { callOutcomes } from './call-outcomes.ts';
import { checkRemembered, checkResolution } from './check-resolution.ts';
import {
  type AskedInDialog,
  type DialogAnswer,
  dialogResolution,
  notInDialog,
  notWhatWasShown,
} from './dialog-answer.ts';
import { type DialogPermission, type DialogQuestion, dialogQuestion } from './dialog-question.ts';
import { interactionIdOf, interactionUrl, toInteraction } from './interaction-view.ts';
import { type PendingGroup, pendingGroups } from './pending-groups.ts';
import { settledError } from './settled.ts';

interface Dependencies {
  store: Pick<Store, 'interactions' | 'executions' | 'workspaces' | 'apiKeys' | 'subscribe'>;
  policies: Pick<Policies, 'newRow' | 'createdEntry'>;
  presence: Pick<PresenceGuard, 'require' | 'isOn'>;
  /** The tool as it is now, if it exists. */
  toolNow(workspaceId: string, path: string): Promise<RuledTool | undefined>;
  validator: InputValidator;
  /** The base URL of the pages. */
  baseUrl: () => string;
  now: () => Date;
  /** How long an answer to an approval waits for the outcome of its call. */
  outcomeWaitMs?: number;
}

const defaultOutcomeWaitMs = 1_000;

/** The progress of one request. Several answers share one rule, and one answer may settle several interactions. */
interface Progress {
  policy?: PolicyRow;
  resolved: Map<string, AskedRow>;
  /** Set if the answer was given in the dialog of an agent's client. */
  through?: 'dialog';
}

/**
 * The questions of runs to people, and their answers. Only people see and answer them, with one exception: with `askInDialog` and
 * `answerInDialog`, an agent's client may forward the answer of its user.
 */
export class Interactions {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  async list(principal: Principal, query: InteractionQuery): Promise<Page<Interaction>> {
    onlyPerson(principal, 'see and answer what a run asks');
    const { status, executionId, ...page } = query;
    const { store } = this.#dependencies;
    const { items, ...rest } = await store.interactions.list(
      principal.workspaceId,
      { status, executionId },
      page,
    );
    return { items: items.map((row) => this.#view(row)), ...rest };
  }

  async get(principal: Principal, id: string): Promise<Interaction> {
    onlyPerson(principal, 'see and answer what a run asks');
    const row = await this.#find(principal, id);
    return withOutcome(this.#view(row), await this.#outcomes([row], 0));
  }

  async resolve(principal: Principal, id: string, resolution: Resolution): Promise<Interaction> {
    onlyPerson(principal, 'see and answer what a run asks');
    const waitUntil = this.#outcomeDeadline();
    const row = await this.#find(principal, id);
    await this.#check(principal, row, resolution);
    await this.#dependencies.presence.require(principal, resolution.presence);
    const progress: Progress = { resolved: new Map() };
    const answered = await this.#resolve(principal, row, resolution, progress);
    const resolved = progress.resolved.get(id);
    return withOutcome(answered, await this.#outcomes(resolved ? [resolved] : [], waitUntil));
  }

  /** Answers each interaction separately. A failure of one does not affect the others. */
  async resolveSeveral(
    principal: Principal,
    { ids, ...resolution }: ResolutionOfSeveral,
  ): Promise<ResolvedSeveral> {
    onlyPerson(principal, 'see and answer what a run asks');
    const waitUntil = this.#outcomeDeadline();
    await this.#dependencies.presence.require(principal, resolution.presence);
    const progress: Progress = { resolved: new Map() };
    const items: ResolvedSeveral['items'] = [];
    for (const id of ids) {
      try {
        items.push({ id, interaction: await this.#resolveOne(principal, id, resolution, progress) });
      } catch (error) {
        const { code, message } = toExecutorError(error);
        items.push({ id, error: { code, message } });
      }
    }
    const outcomes = await this.#outcomes([...progress.resolved.values()], waitUntil);
    return {
      items: items.map((item) =>
        item.interaction ? { ...item, interaction: withOutcome(item.interaction, outcomes) } : item,
      ),
    };
  }

  /** The outcomes of the calls that are known in time. The answer is stored by now, so a failed read must not make it look refused. */
  #outcomes(rows: AskedRow[], deadline: number): Promise<Map<string, CallOutcome>> {
    const withinMs = Math.max(0, deadline - performance.now());
    return callOutcomes(rows, this.#dependencies.store, { withinMs }).catch(() => new Map());
  }

  /** Counts from the beginning of the request: a busy server does not let the reviewer wait longer. */
  #outcomeDeadline(): number {
    return performance.now() + (this.#dependencies.outcomeWaitMs ?? defaultOutcomeWaitMs);
  }

  /** The pending questions of a run, as its owner read it, in few lines. */
  async pendingGroups({
    id: executionId,
    interactions,
  }: Pick<Execution, 'id' | 'interactions'>): Promise<PendingGroup[]> {
    const read = new Set(interactions.map(interactionIdOf));
    const rows = await this.#dependencies.store.interactions.pendingOf(executionId);
    const baseUrl = this.#dependencies.baseUrl();
    return pendingGroups(
      rows.filter(({ id }) => read.has(id)),
      { baseUrl, executionId },
    );
  }

  /** The questions of an agent's run that its client may ask its user in a dialog, oldest first. */
  async askInDialog(principal: Principal, executionId: string): Promise<DialogQuestion[]> {
    await this.#requireOwnRun(principal, executionId);
    const rows = await this.#dependencies.store.interactions.pendingOf(executionId);
    const open = rows.filter(({ expiresAt }) => expiresAt === null || expiresAt > this.#dependencies.now());
    if (open.length === 0) return [];
    const permission = await this.#dialogPermission(principal);
    return open.flatMap((row) => this.#questionOf(row, permission) ?? []);
  }

  /**
   * The only function through which an agent's request can answer a question. It checks the permission now, not when the question was asked:
   * the key must be live and allowed to show approvals in its client's dialog, the run must belong to it, and the user must have seen the
   * current question. Of two answers one wins, and a late answer gets an error. Repeating the same answer, because the client missed the
   * response, is no error.
   */
  async answerInDialog(principal: Principal, asked: AskedInDialog, answer: DialogAnswer): Promise<void> {
    await this.#requireOwnRun(principal, asked.executionId);
    const row = await this.#find(principal, asked.interactionId);
    if (row.executionId !== asked.executionId) throw notFound(asked.interactionId);
    const resolution = dialogResolution(row.kind, answer);
    if (this.#isRepeated(principal, row, resolution)) return;
    if (row.status !== 'pending') throw await this.#settled(principal, row);
    const question = this.#questionOf(row, await this.#dialogPermission(principal));
    if (question?.form === undefined)
      throw notInDialog(row, interactionUrl(this.#dependencies.baseUrl(), row.id));
    if (question.hash !== asked.hash) throw notWhatWasShown(question.url);
    await this.#resolve(principal, row, resolution, { resolved: new Map(), through: 'dialog' });
  }

  async #requireOwnRun(principal: Principal, executionId: string): Promise<void> {
    const run = await this.#dependencies.store.executions.find(principal.workspaceId, executionId);
    if (run?.ownerId === ownerOf(principal)) return;
    throw new ExecutorError('notFound', `There is no run "${executionId}" of yours.`);
  }

  /** If answers need a PIN, only the page may ask for it, never the dialog of a client. */
  async #dialogPermission(principal: Principal): Promise<DialogPermission> {
    const { store, presence } = this.#dependencies;
    if (await presence.isOn(principal)) return { approvals: false, forms: false };
    const { workspaceId, apiKeyId } = principal;
    const key = apiKeyId === undefined ? undefined : await store.apiKeys.findLiveById(workspaceId, apiKeyId);
    return { approvals: key?.kind === 'agent' && key.allowDialog, forms: true };
  }

  #questionOf(row: InteractionRow, permission: DialogPermission): DialogQuestion | undefined {
    const url = interactionUrl(this.#dependencies.baseUrl(), row.id);
    return dialogQuestion(row, { url, permission });
  }

  async #resolveOne(
    principal: Principal,
    id: string,
    resolution: Resolution,
    progress: Progress,
  ): Promise<Interaction> {
    const done = progress.resolved.get(id);
    if (done) return this.#view(done);
    const row = await this.#find(principal, id);
    await this.#check(principal, row, resolution);
    return this.#resolve(principal, row, resolution, progress);
  }

  /** Checks everything that does not need the PIN, so that a mistake costs no attempt. */
  async #check(principal: Principal, row: AskedRow, resolution: Resolution): Promise<void> {
    if (row.status !== 'pending') throw await this.#settled(principal, row);
    checkResolution(row, resolution, this.#dependencies.validator);
    if (resolution.remember) await this.#checkRemembered(row, resolution.remember);
  }

  async #checkRemembered(row: AskedRow, rule: NonNullable<Resolution['remember']>): Promise<void> {
    const run = await this.#dependencies.store.executions.find(row.workspaceId, row.executionId);
    if (run === undefined) throw notFound(row.id);
    const caller = { actorId: run.actorId, clientId: run.clientId ?? undefined };
    const tool = { path: row.toolPath, effect: row.effect };
    await this.#requireSameEffect(row);
    checkRemembered(rule, { caller, tool, input: JSON.parse(row.input) }, row.remember);
  }

  /** A rule holds for later calls too, so the reviewer must know what they do. */
  async #requireSameEffect({ workspaceId, toolPath, effect }: AskedRow): Promise<void> {
    const tool = await this.#dependencies.toolNow(workspaceId, toolPath);
    if (tool === undefined || tool.effect === effect) return;
    throw new ExecutorError(
      'conflict',
      `remember: ${toolPath} was a ${effect} call when Executor asked, and is ${tool.effect} now. Approve without a rule; Executor then asks again and shows the change.`,
    );
  }

  async #resolve(
    principal: Principal,
    row: AskedRow,
    resolution: Resolution,
    progress: Progress,
  ): Promise<Interaction> {
    const { store, policies, validator, now } = this.#dependencies;
    const { workspaceId, actorId } = principal;
    const data = checkResolution(row, resolution, validator);
    const isFirst = resolution.remember !== undefined && progress.policy === undefined;
    const policy =
      isFirst && resolution.remember
        ? await policies.newRow(principal, resolution.remember)
        : progress.policy;
    const dialogOf = progress.through === 'dialog' ? ownerOf(principal) : undefined;
    const answer = answerRow({ resolution, actorId, policy, data, dialogOf });
    const outcome = await store.interactions.resolve(
      workspaceId,
      row.id,
      {
        resolution: answer,
        at: now(),
        identical: answer.scope === 'identical',
        ...(isFirst && policy && { policy }),
      },
      ([, ...others]) => {
        const settled = { also: others.map(({ id }) => id), through: progress.through };
        const audit = this.#audit(principal, row, { answer, ...settled });
        return isFirst && policy ? [audit, policies.createdEntry(principal, policy)] : [audit];
      },
    );
    if (outcome === undefined) throw notFound(row.id);
    if (outcome.type === 'settled') {
      if (this.#isRepeated(principal, outcome.row, resolution)) return this.#view(outcome.row);
      throw await this.#settled(principal, outcome.row);
    }
    if (policy) progress.policy = policy;
    // All of them are of the same run.
    for (const settled of outcome.rows)
      progress.resolved.set(settled.id, { ...settled, askedBy: row.askedBy });
    const [, ...others] = outcome.rows;
    const view = this.#view(progress.resolved.get(row.id) ?? row);
    return others.length > 0 ? { ...view, alsoResolved: others.map(({ id }) => id) } : view;
  }

  #audit(
    principal: Principal,
    row: AskedRow,
    { answer, also, through }: { answer: ResolutionRow; also: string[]; through: Progress['through'] },
  ): NewAuditEntry {
    const { data: _, actorId: __, dialogOf: ___, ...shown } = answer;
    const details = {
      ...{ kind: row.kind, executionId: row.executionId, path: row.toolPath, ...shown },
      ...(also.length > 0 && { alsoResolved: also }),
      ...(through && { through }),
    };
    return auditEntry(principal, this.#dependencies.now(), {
      action: 'interaction.resolved',
      target: row.id,
      details,
    });
  }

  /** Whether the stored answer is the same and was given in a dialog of the same key. */
  #isRepeated(principal: Principal, row: AskedRow, again: Resolution): boolean {
    const { action, scope, reason, data, dialogOf } = row.resolution ?? {};
    const isSame = action === again.action && scope === again.scope && reason === again.reason;
    if (dialogOf !== ownerOf(principal) || !isSame) return false;
    return isDeepStrictEqual(data, checkResolution(row, again, this.#dependencies.validator));
  }

  async #settled(principal: Principal, row: AskedRow): Promise<ExecutorError> {
    const { actorId, dialogOf } = row.resolution ?? {};
    // The key acts for a person, who may not have seen the dialog.
    const isOthers = dialogOf !== undefined && principal.kind === 'person';
    const who = isOthers ? `A client’s dialog (${dialogOf})` : await this.#nameOf(principal, actorId);
    return settledError(row, who);
  }

  async #nameOf(principal: Principal, actorId: string | undefined): Promise<string> {
    const { workspaceId, actorId: own, kind } = principal;
    if (actorId === undefined) return 'Someone';
    // An agent acts for a person but is not that person.
    if (kind === 'agent') return 'A person';
    if (actorId === own) return 'You';
    return (await this.#dependencies.store.workspaces.describe(workspaceId, actorId))?.actor.name ?? actorId;
  }

  async #find({ workspaceId }: Principal, id: string): Promise<AskedRow> {
    const row = await this.#dependencies.store.interactions.find(workspaceId, id);
    if (row === undefined) throw notFound(id);
    return row;
  }

  #view(row: AskedRow): Interaction {
    const { baseUrl, now } = this.#dependencies;
    return toInteraction(row, { baseUrl: baseUrl(), now: now() });
  }
}

function withOutcome(view: Interaction, outcomes: ReadonlyMap<string, CallOutcome>): Interaction {
  const outcome = outcomes.get(view.id);
  return outcome ? { ...view, outcome } : view;
}

function answerRow(answer: {
  resolution: Resolution;
  actorId: string;
  policy: PolicyRow | undefined;
  data: unknown;
  dialogOf: string | undefined;
}): ResolutionRow {
  const { resolution, actorId, policy, data, dialogOf } = answer;
  const { action, reason, scope } = resolution;
  return {
    action,
    actorId,
    ...(reason !== undefined && { reason }),
    ...(scope !== undefined && { scope }),
    ...(policy !== undefined && { policyId: policy.id }),
    ...(data !== undefined && { data }),
    ...(dialogOf !== undefined && { dialogOf }),
  };
}

function notFound(id: string): ExecutorError {
  return new ExecutorError(
    'notFound',
    `There is no interaction "${id}". \`executor approvals ls\` lists what waits.`,
  );
}
