import {
  type ExecutionLimits,
  ExecutorError,
  type Principal,
  type Settings,
  type SettingsChange,
} from '@executor/protocol';
import { auditEntry } from '../audit-entry.ts';
import type { Store, StoredSettings, WorkspaceNames } from '../ports/store.ts';

interface Dependencies {
  store: Pick<Store, 'workspaces'>;
  now: () => Date;
}

/** The default settings. */
export const defaultLimits: ExecutionLimits = {
  cpuMs: 10_000,
  memoryMb: 64,
  calls: 10_000,
  // The maximum size of an artifact, because a result that is too large to show becomes one.
  resultBytes: 32 * 1024 * 1024,
  logBytes: 256 * 1024,
};
const defaultRetentionDays = 30;
const hourMs = 3_600_000;

/** Every run reads the limits, so they are cached. Changes by other processes take effect within this time. */
const keptMs = 1_000;

export class Workspaces {
  readonly #store: Dependencies['store'];
  readonly #now: () => Date;
  readonly #settings = new Map<string, { readAt: number; settings: StoredSettings }>();

  constructor({ store, now }: Dependencies) {
    this.#store = store;
    this.#now = now;
  }

  async describe({ workspaceId, actorId }: Principal): Promise<WorkspaceNames> {
    const names = await this.#store.workspaces.describe(workspaceId, actorId);
    if (names) return names;
    throw new ExecutorError('notFound', `The workspace ${workspaceId} is not in the database any more.`);
  }

  async settings(principal: Principal): Promise<Settings> {
    const { workspace } = await this.describe(principal);
    const stored = await this.#store.workspaces.settings(workspace.id);
    return { workspaceName: workspace.name, ...withDefaults(stored) };
  }

  async changeSettings(principal: Principal, change: SettingsChange): Promise<Settings> {
    const before = await this.settings(principal);
    const { workspaceId } = principal;
    const details = differences(before, change);
    if (Object.keys(details).length === 0) return before;
    const { workspaceName: name, ...settings } = change;
    const audit = auditEntry(principal, this.#now(), {
      action: 'settings.changed',
      target: workspaceId,
      details,
    });
    await this.#store.workspaces.change(workspaceId, { name, ...settings }, audit);
    this.#settings.delete(workspaceId);
    return this.settings(principal);
  }

  /** The limits of a run: those of its request, and those of the workspace for the others. A run may request less, not more. */
  async limitsFor(workspaceId: string, requested: Partial<ExecutionLimits> = {}): Promise<ExecutionLimits> {
    const { limits } = withDefaults(await this.#stored(workspaceId));
    for (const key of limitNames) {
      const wanted = requested[key];
      if (wanted !== undefined && wanted > limits[key]) {
        throw new ExecutorError(
          'invalidRequest',
          `limits.${key}: ${wanted} is more than the ${limits[key]} that this workspace allows. Ask for less, or raise it in the settings.`,
          { details: { limit: key, requested: wanted, allowed: limits[key] } },
        );
      }
    }
    return { ...limits, ...definedOf(requested) };
  }

  async retentionDays(workspaceId: string): Promise<number> {
    return withDefaults(await this.#store.workspaces.settings(workspaceId)).retentionDays;
  }

  /** The expiry of a question that is asked now; undefined if questions do not expire. */
  async answerUntil(workspaceId: string): Promise<Date | undefined> {
    const { answerWithinHours } = await this.#stored(workspaceId);
    if (answerWithinHours === undefined || answerWithinHours === null) return undefined;
    return new Date(this.#now().getTime() + answerWithinHours * hourMs);
  }

  async #stored(workspaceId: string): Promise<StoredSettings> {
    const kept = this.#settings.get(workspaceId);
    const readAt = this.#now().getTime();
    if (kept && readAt - kept.readAt < keptMs && readAt >= kept.readAt) return kept.settings;
    const settings = await this.#store.workspaces.settings(workspaceId);
    this.#settings.set(workspaceId, { readAt, settings });
    return settings;
  }
}

const limitNames = Object.keys(defaultLimits) as (keyof ExecutionLimits)[];

function withDefaults({
  limits,
  retentionDays,
  answerWithinHours,
}: StoredSettings): Omit<Settings, 'workspaceName'> {
  return {
    limits: { ...defaultLimits, ...definedOf(limits ?? {}) },
    retentionDays: retentionDays ?? defaultRetentionDays,
    answerWithinHours: answerWithinHours ?? null,
  };
}

/** The old and new values of changed settings: `limits.cpuMs`, `workspaceName`. */
function differences(
  before: Settings,
  change: SettingsChange,
): Record<string, { from: unknown; to: unknown }> {
  const rows: [string, unknown, unknown][] = [
    ['workspaceName', before.workspaceName, change.workspaceName],
    ...limitNames.map((key): [string, unknown, unknown] => [
      `limits.${key}`,
      before.limits[key],
      change.limits?.[key],
    ]),
    ['retentionDays', before.retentionDays, change.retentionDays],
    ['answerWithinHours', before.answerWithinHours, change.answerWithinHours],
  ];
  const changed = rows.filter(([, from, to]) => to !== undefined && to !== from);
  return Object.fromEntries(changed.map(([name, from, to]) => [name, { from, to }]));
}

function definedOf(limits: Partial<ExecutionLimits>): Partial<ExecutionLimits> {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}
