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
  /** How many bytes the run has already. */
  | { type: 'full'; taken: number };

/** Bytes that belong to a run and go with it. */
export interface ArtifactStore {
  /**
   * Writes it whole, unless the artifacts of its run would have more bytes than that together; one that is already there under that id
   * stays as it is, and is the answer.
   */
  put(artifact: ArtifactRow, content: Uint8Array, maxBytesOfRun: number): Promise<PutArtifact>;
  find(workspaceId: string, id: string): Promise<ArtifactRow | undefined>;
  /** A part of the content, or all of it. */
  read(id: string, range?: { offset: number; length: number }): Promise<Uint8Array>;
}
