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
  | { type: 'full'; taken: number };

/** Bytes that belong to a run and are deleted with it. */
export interface ArtifactStore {
  /**
   * Stores the artifact unless the artifacts of its run would exceed `maxBytesOfRun` together. If an artifact with this id exists, keeps
   * and returns that one.
   */
  put(artifact: ArtifactRow, content: Uint8Array, maxBytesOfRun: number): Promise<PutArtifact>;
  find(workspaceId: string, id: string): Promise<ArtifactRow | undefined>;
  /** A part of the content, or all of it. */
  read(id: string, range?: { offset: number; length: number }): Promise<Uint8Array>;
}
