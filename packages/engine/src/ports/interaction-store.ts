import type {
  InteractionKind,
  InteractionStatus,
  NewPolicy,
  PageQuery,
  PrincipalKind,
  ResolutionAction,
} from '@executor/protocol';
import type { NewAuditEntry } from './audit-store.ts';
import type { Page } from './page.ts';
import type { PolicyRow } from './policy-store.ts';
import type { Effect } from './source.ts';

export interface InteractionStore {
  find(workspaceId: string, id: string): Promise<AskedRow | undefined>;
  list(
    workspaceId: string,
    filter: { status?: InteractionStatus | undefined; executionId?: string | undefined },
    page: PageQuery,
  ): Promise<Page<AskedRow>>;
  /** The pending interactions of a run, oldest first. */
  pendingOf(executionId: string): Promise<InteractionRow[]>;
  /**
   * Resolves a pending interaction once. Of two concurrent answers one wins, and the other gets `settled` with the stored row. The same
   * transaction adds the rule to remember, appends `interaction.resolved` to the journal of the run, and wakes the run. With `identical`,
   * it resolves all pending interactions of the run that have the same binding. An expired interaction cannot be resolved.
   */
  resolve(
    workspaceId: string,
    id: string,
    answer: { resolution: ResolutionRow; at: Date; identical: boolean; policy?: PolicyRow },
    /** Makes the audit entries from the resolved rows; the row with `id` is first. */
    audit: (settled: InteractionRow[]) => NewAuditEntry[],
  ): Promise<{ type: 'resolved'; rows: InteractionRow[] } | { type: 'settled'; row: AskedRow } | undefined>;
}

export interface NewInteractionRow {
  id: string;
  workspaceId: string;
  executionId: string;
  callIndex: number;
  /** The number of the question within its call, because a call may ask several times. */
  ordinal: number;
  kind: InteractionKind;
  toolPath: string;
  effect: Effect;
  /** JSON text. */
  input: string;
  /** The preview of the request, or the form, as JSON text. */
  request: string | null;
  prompt: string;
  /** A hash of what an approval covers, without the call's index: path, input, tool version, origin, connection. */
  binding: string;
  remember: NewPolicy | null;
  createdAt: Date;
  expiresAt: Date | null;
}

export interface InteractionRow extends NewInteractionRow {
  status: InteractionStatus;
  resolvedAt: Date | null;
  resolution: ResolutionRow | null;
}

/** An interaction with the owner of its run. */
export interface AskedRow extends InteractionRow {
  askedBy: AskerRow;
}

export interface AskerRow {
  principalKind: PrincipalKind;
  ownerId: string;
  /** Null if the owner is not a key. */
  keyName: string | null;
  clientId: string | null;
}

export interface ResolutionRow {
  action: ResolutionAction;
  actorId: string;
  reason?: string;
  scope?: 'once' | 'identical';
  policyId?: string;
  data?: unknown;
  /** The owner (`ownerId`) whose client showed the dialog, if the answer was given in one. */
  dialogOf?: string;
}
