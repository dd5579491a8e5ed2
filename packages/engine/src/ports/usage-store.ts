import type { PrincipalKind } from '@executor/protocol';

/** The owner of runs that is charged in a workspace. */
export interface UsageOwner {
  workspaceId: string;
  ownerId: string;
  kind: PrincipalKind;
}

/** How much of one resource one owner, all agents, and everybody in the workspace may have. Infinity if there is no limit. */
export interface StoredLimit {
  perKey: number;
  agents: number;
  total: number;
}

/** The limits of a new run. */
export interface NewRunLimits {
  bytes: StoredLimit;
  runs: StoredLimit;
}

export interface UsageRow {
  ownerId: string;
  kind: PrincipalKind;
  bytes: number;
  runs: number;
  questions: number;
  /** Entries of the audit today. */
  auditRows: number;
}

/** The resources of which a caller takes an amount before it writes. */
export type TakenResource = 'questions' | 'auditRows';

/**
 * What each owner keeps in the database. Every write of a run or an artifact changes these counts in its own transaction, so that all
 * processes see the same counts. A limit may be exceeded by writes that are in flight together.
 */
export interface UsageStore {
  list(workspaceId: string): Promise<UsageRow[]>;
  /** Takes an amount if it fits. */
  take(owner: UsageOwner, resource: TakenResource, amount: number, limit: StoredLimit): Promise<boolean>;
  /** Gives questions back that were taken and not asked. */
  giveBack(owner: UsageOwner, questions: number): Promise<void>;
  /**
   * Deletes the payloads of the owner's finished runs, oldest first, until the owner has at most that many bytes: artifacts, and large
   * inputs and outputs of calls. The runs are kept, with `hint` as the reason. Returns the number of runs that lost their payloads.
   */
  removePayloads(owner: UsageOwner, toBytes: number, hint: string): Promise<number>;
  /** Corrects the counts of a workspace by what is stored: a process that was killed may have taken questions that it never asked. */
  recount(workspaceId: string): Promise<void>;
}
