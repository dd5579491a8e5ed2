import { isDeepStrictEqual } from 'node:util';
import {
  type CallOutcome,
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
import type { Policies } from '../policy/policies.ts';
import type { NewAuditEntry } from '../ports/audit-store.ts';
import type { InteractionRow, ResolutionRow } from '../ports/interaction-store.ts';
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
import { interactionUrl, toInteraction } from './interaction-view.ts';
import { settledError } from './settled.ts';

interface Dependencies {
  store: Pick<Store, 'interactions' | 'executions' | 'workspaces' | 'apiKeys' | 'subscribe'>;
  policies: Pick<Policies, 'newRow' | 'createdEntry'>;
  presence: Pick<PresenceGuard, 'require' | 'isOn'>;
  validator: InputValidator;
  /** Where the pages are. */
  baseUrl: () => string;
  now: () => Date;
  /** How long an approval waits to say what happened to its call. */
  outcomeWaitMs?: number;
}

const defaultOutcomeWaitMs = 1_000;

/** What one request has done so far: several answers share one rule, and one answer may settle several. */
interface Progress {
  policy?: PolicyRow;
  resolved: Map<string, InteractionRow>;
  /** Where it was answered, where that was not at a surface for people. */
  through?: 'dialog';
}

/**
 * What runs ask of people, and the answers. Only people see them and only people answer, whatever the surface; with one exception, which
 * is `askInDialog` and `answerInDialog`: an agent's client may pass on what its user said.
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
    const row = await this.#find(principal, id);
    await this.#check(principal, row, resolution);
    await this.#dependencies.presence.require(principal, resolution.presence);
    const progress: Progress = { resolved: new Map() };
    const answered = await this.#resolve(principal, row, resolution, progress);
    const resolved = progress.resolved.get(id);
    return withOutcome(answered, await this.#outcomes(resolved ? [resolved] : []));
  }

  /** Each for itself: one that cannot be answered does not keep the others from it. */
  async resolveSeveral(
    principal: Principal,
    { ids, ...resolution }: ResolutionOfSeveral,
  ): Promise<ResolvedSeveral> {
    onlyPerson(principal, 'see and answer what a run asks');
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
    const outcomes = await this.#outcomes([...progress.resolved.values()]);
    return {
      items: items.map((item) =>
        item.interaction ? { ...item, interaction: withOutcome(item.interaction, outcomes) } : item,
      ),
    };
  }

  /** What happened to the calls, as far as that is known in time. */
  #outcomes(
    rows: InteractionRow[],
    withinMs = this.#dependencies.outcomeWaitMs ?? defaultOutcomeWaitMs,
  ): Promise<Map<string, CallOutcome>> {
    return callOutcomes(rows, this.#dependencies.store, { withinMs });
  }

  /** What the client of an agent may ask its user in a dialog, of what a run of that agent waits for; the oldest first. */
  async askInDialog(principal: Principal, executionId: string): Promise<DialogQuestion[]> {
    await this.#requireOwnRun(principal, executionId);
    const rows = await this.#dependencies.store.interactions.pendingOf(executionId);
    const open = rows.filter(({ expiresAt }) => expiresAt === null || expiresAt > this.#dependencies.now());
    if (open.length === 0) return [];
    const permission = await this.#dialogPermission(principal);
    return open.flatMap((row) => this.#questionOf(row, permission) ?? []);
  }

  /**
   * The only way in which anything that an agent sends answers a question. Whether that is allowed is looked up now, not when it was asked:
   * the key must be a live one whose client's dialog a person trusts with approvals, the run must be its own, and what the user was shown
   * must be what is asked. Of two answers one wins, and one that came too late is told so; the same one again, because the client did not hear
   * that it was taken, is not too late.
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

  /** Where answers take a person's PIN, no dialog of others takes it: the page does. */
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

  /** Everything that can be said without the PIN, so that a slip costs no attempt. */
  async #check(principal: Principal, row: InteractionRow, resolution: Resolution): Promise<void> {
    if (row.status !== 'pending') throw await this.#settled(principal, row);
    checkResolution(row, resolution, this.#dependencies.validator);
    if (resolution.remember) await this.#checkRemembered(row, resolution.remember);
  }

  async #checkRemembered(row: InteractionRow, rule: NonNullable<Resolution['remember']>): Promise<void> {
    const run = await this.#dependencies.store.executions.find(row.workspaceId, row.executionId);
    if (run === undefined) throw notFound(row.id);
    const caller = { actorId: run.actorId, clientId: run.clientId ?? undefined };
    const tool = { path: row.toolPath, effect: row.effect };
    checkRemembered(rule, { caller, tool, input: JSON.parse(row.input) }, row.remember);
  }

  async #resolve(
    principal: Principal,
    row: InteractionRow,
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
    for (const settled of outcome.rows) progress.resolved.set(settled.id, settled);
    const [, ...others] = outcome.rows;
    const view = this.#view(progress.resolved.get(row.id) ?? row);
    return others.length > 0 ? { ...view, alsoResolved: others.map(({ id }) => id) } : view;
  }

  #audit(
    principal: Principal,
    row: InteractionRow,
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

  /** Whether what stands is this very answer, from a dialog of this very key. */
  #isRepeated(principal: Principal, row: InteractionRow, again: Resolution): boolean {
    const { action, scope, reason, data, dialogOf } = row.resolution ?? {};
    const isSame = action === again.action && scope === again.scope && reason === again.reason;
    if (dialogOf !== ownerOf(principal) || !isSame) return false;
    return isDeepStrictEqual(data, checkResolution(row, again, this.#dependencies.validator));
  }

  async #settled(principal: Principal, row: InteractionRow): Promise<ExecutorError> {
    const { actorId, dialogOf } = row.resolution ?? {};
    // The key acts for a person, who may not even have seen that dialog.
    const isOthers = dialogOf !== undefined && principal.kind === 'person';
    const who = isOthers ? `A client’s dialog (${dialogOf})` : await this.#nameOf(principal, actorId);
    return settledError(row, who);
  }

  async #nameOf(principal: Principal, actorId: string | undefined): Promise<string> {
    const { workspaceId, actorId: own, kind } = principal;
    if (actorId === undefined) return 'Someone';
    // An agent acts for a person, and is not that person.
    if (kind === 'agent') return 'A person';
    if (actorId === own) return 'You';
    return (await this.#dependencies.store.workspaces.describe(workspaceId, actorId))?.actor.name ?? actorId;
  }

  async #find({ workspaceId }: Principal, id: string): Promise<InteractionRow> {
    const row = await this.#dependencies.store.interactions.find(workspaceId, id);
    if (row === undefined) throw notFound(id);
    return row;
  }

  #view(row: InteractionRow): Interaction {
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
