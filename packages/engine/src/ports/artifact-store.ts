export interface ArtifactRow {
  id: string;
  workspaceId: string;
  executionId: string;
  mediaType: string;
  name: string | null;
  bytes: number;
  createdAt: Date;
}

/** Bytes that belong to a run and go with it. */
export interface ArtifactStore {
  /** Writes it whole; one that is already there under that id stays as it is. */
  put(artifact: ArtifactRow, content: Uint8Array): Promise<void>;
  find(workspaceId: string, id: string): Promise<ArtifactRow | undefined>;
  /** A part of the content, or all of it. */
  read(id: string, range?: { offset: number; length: number }): Promise<Uint8Array>;
  /** How many bytes the artifacts of a run have together. */
  bytesOf(executionId: string): Promise<number>;
}
