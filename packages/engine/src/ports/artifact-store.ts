import type { StoredLimit, UsageOwner } from './usage-store.ts';

export interface ArtifactRow {
  id: string;
  workspaceId: string;
  executionId: string;
  mediaType: string;
  name: string | null;
  bytes: number;
  createdAt: Date;
}

export type PutArtifact =
  | { type: 'kept'; artifact: ArtifactRow }
  /** The number of bytes that the run has stored. */
  | { type: 'full'; taken: number }
  /** The owner of the run has no room for it. */
  | { type: 'overLimit' };

/** Who is charged for an artifact, and how much it may have. */
export interface ArtifactCharge extends UsageOwner {
  limit: StoredLimit;
}

/** Bytes that belong to a run and are deleted with it. */
export interface ArtifactStore {
  /**
   * Stores the artifact unless the artifacts of its run would exceed `maxBytesOfRun` together. If an artifact with this id exists, keeps
   * and returns that one.
   */
  put(
    artifact: ArtifactRow,
    content: Uint8Array,
    maxBytesOfRun: number,
    charge?: ArtifactCharge,
  ): Promise<PutArtifact>;
  find(workspaceId: string, id: string): Promise<ArtifactRow | undefined>;
  /** A part of the content, or all of it. */
  read(id: string, range?: { offset: number; length: number }): Promise<Uint8Array>;
}
