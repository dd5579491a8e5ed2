import { ExecutorError, type Principal } from '@executor/protocol';
import { ownerOf } from '../identity/owner.ts';
import type { ArtifactRow } from '../ports/artifact-store.ts';
import type { ExecutionRow } from '../ports/execution-store.ts';
import type { ArtifactHandle, NewArtifact } from '../ports/source.ts';
import type { Store } from '../ports/store.ts';
import { accountOfRun } from '../resource/account.ts';
import type { StoredQuotas } from '../resource/stored-quotas.ts';

interface Dependencies {
  store: Pick<Store, 'artifacts' | 'executions'>;
  quotas: Pick<StoredQuotas, 'admit' | 'limitFor'>;
  now: () => Date;
}

type Reader = Pick<ExecutionRow, 'workspaceId' | 'ownerId'>;
/** The run that an artifact belongs to, and whoever is charged for it. */
type Writer = Pick<ExecutionRow, 'id' | 'workspaceId' | 'ownerId' | 'principalKind'>;

interface Part {
  offset: number;
  length: number;
}

export interface OpenArtifact {
  mediaType: string;
  name?: string;
  length: number;
  /** Throws if the artifact is removed meanwhile. */
  pieces(part: Part): AsyncIterable<Uint8Array>;
}

const mebibyte = 1024 * 1024;
const maxBytes = 32 * mebibyte;
const maxBytesOfRun = 128 * mebibyte;
const pieceBytes = mebibyte / 2;

/** Bytes that belong to runs and are deleted with them. A person may read all artifacts of the workspace, an agent those of its own runs. */
export class Artifacts {
  readonly #store: Dependencies['store'];
  readonly #quotas: Dependencies['quotas'];
  readonly #now: () => Date;

  constructor({ store, quotas, now }: Dependencies) {
    this.#store = store;
    this.#quotas = quotas;
    this.#now = now;
  }

  /** `name` is unique in the run, so that storing the artifact again after a crash changes nothing. */
  async put(run: Writer, artifact: NewArtifact, name: string): Promise<ArtifactHandle> {
    const { mediaType, bytes } = artifact;
    const { id: executionId, workspaceId, ownerId, principalKind: kind } = run;
    const id = `art_${executionId.replace(/^exe_/, '')}_${name}`;
    if (bytes.length > maxBytes) throw tooLarge(`An artifact has ${bytes.length} bytes`, maxBytes);
    const row = {
      ...{ id, workspaceId, executionId, mediaType },
      ...{ name: artifact.name ?? null, bytes: bytes.length, createdAt: this.#now() },
    };
    const account = accountOfRun(run);
    const charge = { workspaceId, ownerId, kind, limit: this.#quotas.limitFor(account, 'storedBytes') };
    const put = await this.#quotas.admit(account, bytes.length, async () => {
      const outcome = await this.#store.artifacts.put(row, bytes, maxBytesOfRun, charge);
      return outcome.type === 'overLimit' ? undefined : outcome;
    });
    if (put.type === 'full') {
      const together = put.taken + bytes.length;
      throw tooLarge(`The artifacts of this run have ${together} bytes together`, maxBytesOfRun);
    }
    return { artifactId: id, mediaType: put.artifact.mediaType, bytes: put.artifact.bytes };
  }

  /** Opens an artifact, which is then read in pieces. */
  async open(principal: Principal, id: string): Promise<OpenArtifact> {
    const artifact = await this.#store.artifacts.find(principal.workspaceId, id);
    if (artifact === undefined) throw notFound(id);
    const execution = await this.#store.executions.find(principal.workspaceId, artifact.executionId);
    const mayRead = principal.kind === 'person' || execution?.ownerId === ownerOf(principal);
    if (execution === undefined || !mayRead) throw notFound(id);
    requireKept(artifact, execution);
    const { mediaType, name, bytes } = artifact;
    return {
      mediaType,
      ...(name !== null && { name }),
      length: bytes,
      pieces: (part) => this.#pieces(id, part),
    };
  }

  /** Reads the next piece when the caller has taken the one before. */
  async *#pieces(id: string, { offset, length }: Part): AsyncGenerator<Uint8Array> {
    for (let at = offset; at < offset + length; ) {
      const wanted = Math.min(pieceBytes, offset + length - at);
      const piece = await this.#store.artifacts.read(id, { offset: at, length: wanted });
      if (piece.length !== wanted) throw notFound(id);
      yield piece;
      at += piece.length;
    }
  }

  /** Reads for the code of a run, which may read the artifacts of all runs of its owner. */
  async readFor(
    run: Reader,
    id: string,
    range: { offset: number; length: number },
  ): Promise<{ artifact: ArtifactRow; bytes: Uint8Array } | undefined> {
    const artifact = await this.#findFor(run, id);
    return artifact && { artifact, bytes: await this.#store.artifacts.read(id, range) };
  }

  /** The size of an artifact that the run may read. */
  async bytesFor(run: Reader, id: string): Promise<number | undefined> {
    return (await this.#findFor(run, id))?.bytes;
  }

  async has(run: Reader, id: string): Promise<boolean> {
    return (await this.#findFor(run, id)) !== undefined;
  }

  /** Reads a whole artifact for a call that sends it. */
  async readWhole(run: Reader, id: string): Promise<NewArtifact | undefined> {
    const found = await this.readFor(run, id, { offset: 0, length: maxBytes });
    if (found === undefined) return undefined;
    const { mediaType, name } = found.artifact;
    return { bytes: found.bytes, mediaType, ...(name !== null && { name }) };
  }

  async #findFor({ workspaceId, ownerId }: Reader, id: string): Promise<ArtifactRow | undefined> {
    const artifact = await this.#store.artifacts.find(workspaceId, id);
    if (artifact === undefined) return undefined;
    const execution = await this.#store.executions.find(workspaceId, artifact.executionId);
    if (execution?.ownerId !== ownerId) return undefined;
    requireKept(artifact, execution);
    return artifact;
  }
}

/** The content of artifacts is deleted together with the other payloads of their run. */
function requireKept({ id }: ArtifactRow, { removed }: ExecutionRow): void {
  if (removed)
    throw new ExecutorError('gone', `The content of the artifact "${id}" is gone. ${removed.hint}`);
}

function tooLarge(fact: string, limit: number): ExecutorError {
  return new ExecutorError('payloadTooLarge', `${fact}; ${limit} are allowed.`);
}

function notFound(id: string): ExecutorError {
  return new ExecutorError(
    'notFound',
    `There is no artifact "${id}". Artifacts are removed together with their run.`,
  );
}
