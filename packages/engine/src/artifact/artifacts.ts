import { type Bytes, ExecutorError, type Principal } from '@executor/protocol';
import { ownerOf } from '../identity/owner.ts';
import type { ArtifactRow } from '../ports/artifact-store.ts';
import type { ExecutionRow } from '../ports/execution-store.ts';
import type { ArtifactHandle, NewArtifact } from '../ports/source.ts';
import type { Store } from '../ports/store.ts';

interface Dependencies {
  store: Pick<Store, 'artifacts' | 'executions'>;
  now: () => Date;
}

type Reader = Pick<ExecutionRow, 'workspaceId' | 'ownerId'>;

const mebibyte = 1024 * 1024;
const maxBytes = 32 * mebibyte;
const maxBytesOfRun = 128 * mebibyte;

/** Bytes that belong to runs and are deleted with them. A person may read all artifacts of the workspace, an agent those of its own runs. */
export class Artifacts {
  readonly #store: Dependencies['store'];
  readonly #now: () => Date;

  constructor({ store, now }: Dependencies) {
    this.#store = store;
    this.#now = now;
  }

  /** `name` is unique in the run, so that storing the artifact again after a crash changes nothing. */
  async put(
    { id: executionId, workspaceId }: Pick<ExecutionRow, 'id' | 'workspaceId'>,
    artifact: NewArtifact,
    name: string,
  ): Promise<ArtifactHandle> {
    const { mediaType, bytes } = artifact;
    const id = `art_${executionId.replace(/^exe_/, '')}_${name}`;
    if (bytes.length > maxBytes) throw tooLarge(`An artifact has ${bytes.length} bytes`, maxBytes);
    const put = await this.#store.artifacts.put(
      {
        id,
        workspaceId,
        executionId,
        mediaType,
        name: artifact.name ?? null,
        bytes: bytes.length,
        createdAt: this.#now(),
      },
      bytes,
      maxBytesOfRun,
    );
    if (put.type === 'full') {
      const together = put.taken + bytes.length;
      throw tooLarge(`The artifacts of this run have ${together} bytes together`, maxBytesOfRun);
    }
    return { artifactId: id, mediaType: put.artifact.mediaType, bytes: put.artifact.bytes };
  }

  async get(principal: Principal, id: string): Promise<Bytes> {
    const artifact = await this.#store.artifacts.find(principal.workspaceId, id);
    if (artifact === undefined || !(await this.#mayRead(principal, artifact))) throw notFound(id);
    const { mediaType, name } = artifact;
    return { mediaType, ...(name !== null && { name }), bytes: await this.#store.artifacts.read(id) };
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
    return execution?.ownerId === ownerId ? artifact : undefined;
  }

  async #mayRead(principal: Principal, { executionId, workspaceId }: ArtifactRow): Promise<boolean> {
    if (principal.kind === 'person') return true;
    const execution = await this.#store.executions.find(workspaceId, executionId);
    return execution?.ownerId === ownerOf(principal);
  }
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
