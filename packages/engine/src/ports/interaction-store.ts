import type {
  InteractionKind,
  InteractionStatus,
  NewPolicy,
  PageQuery,
  ResolutionAction,
} from '@executor/protocol';
import type { NewAuditEntry } from './audit-store.ts';
import type { Page } from './page.ts';
import type { PolicyRow } from './policy-store.ts';
import type { Effect } from './source.ts';

export interface InteractionStore {
  find(workspaceId: string, id: string): Promise<InteractionRow | undefined>;
  list(
    workspaceId: string,
    filter: { status?: InteractionStatus | undefined; executionId?: string | undefined },
    page: PageQuery,
  ): Promise<Page<InteractionRow>>;
  /** What a run waits for, the oldest first. */
  pendingOf(executionId: string): Promise<InteractionRow[]>;
  /**
   * Settles a pending interaction, once: of two answers at once one wins, and the other gets `settled` with what stands. In the same
   * transaction it adds the rule to remember, appends `interaction.resolved` to the journal of its run, and wakes the run.
   * With `identical`, pending interactions of the same run with the same binding are settled in the same way.
   * One that has expired is settled by nobody.
   */
  resolve(
    workspaceId: string,
    id: string,
    answer: { resolution: ResolutionRow; at: Date; identical: boolean; policy?: PolicyRow },
    /** What goes to the audit, made of all that were settled, the one that was meant first. */
    audit: (settled: InteractionRow[]) => NewAuditEntry[],
  ): Promise<
    { type: 'resolved'; rows: InteractionRow[] } | { type: 'settled'; row: InteractionRow } | undefined
  >;
}

export interface NewInteractionRow {
  id: string;
  workspaceId: string;
  executionId: string;
  callIndex: number;
  /** A call may ask several things, one after the other. */
  ordinal: number;
  kind: InteractionKind;
  toolPath: string;
  effect: Effect;
  /** JSON text. */
  input: string;
  /** Exactly what will be sent, or the form; JSON text. */
  request: string | null;
  prompt: string;
  /** A hash of all that an approval is bound to but the call's index: path, input, tool version, origin, connection. */
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

export interface ResolutionRow {
  action: ResolutionAction;
  actorId: string;
  reason?: string;
  scope?: 'once' | 'identical';
  policyId?: string;
  data?: unknown;
  /** Whose client's dialog it was given in, where it was in one. */
  dialogOf?: string;
}
