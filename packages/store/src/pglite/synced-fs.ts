import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** The argument of a PGlite `preRun` hook, as far as we use it: Emscripten's file system and its operations on open files. */
export interface PostgresModule {
  FS: { isDir(mode: number): boolean };
  NODEFS: {
    stream_ops: StreamOperations;
    node_ops: NodeOperations;
    realPath(node: FileNode): string;
    /** Converts a system error to one that Postgres understands. Other exceptions would break Postgres. */
    tryFSOperation<Result>(operation: () => Result): Result;
  };
}

interface FileNode {
  mode: number;
}

interface OpenStream {
  nfd: number;
  node: FileNode;
}

interface StreamOperations {
  fsync?(stream: OpenStream): number;
  setattr(stream: OpenStream, attributes: { size?: number }): void;
  write(
    stream: OpenStream,
    buffer: Uint8Array | Int8Array,
    offset: number,
    length: number,
    position: number,
  ): number;
}

interface NodeOperations {
  mknod(parent: FileNode, name: string, mode: number, device: number): FileNode;
  rename(node: FileNode, newParent: FileNode, newName: string): void;
  rmdir(parent: FileNode, name: string): void;
  setattr(node: FileNode, attributes: { size?: number }): void;
  unlink(parent: FileNode, name: string): void;
}

/** Errors about the disk or the folder. Others, such as ENOENT, are normal. */
const diskErrors = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO']);

/** PGlite's file system on a real folder, with an `fsync` that reaches the disk. PGlite's own is a no-op. */
export class SyncedNodeFS extends NodeFS {
  /** The last disk error, such as ENOSPC. It explains why Postgres gave up. */
  refusal: string | undefined;

  override async init(pg: PGlite, options: Parameters<NodeFS['init']>[1]): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options);
    const hook = (module: unknown) => this.prepare(module as PostgresModule);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), hook] } };
  }

  protected prepare({ FS, NODEFS }: PostgresModule): void {
    const { tryFSOperation } = NODEFS;
    NODEFS.tryFSOperation = (operation) => tryFSOperation(() => this.#recordRefusal(operation));
    NODEFS.stream_ops.fsync = ({ nfd, node }) => {
      NODEFS.tryFSOperation(() =>
        FS.isDir(node.mode) ? syncFolder(NODEFS.realPath(node)) : fdatasyncSync(nfd),
      );
      return 0;
    };
  }

  #recordRefusal<Result>(operation: () => Result): Result {
    try {
      return operation();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== undefined && diskErrors.has(code)) this.refusal = code;
      throw error;
    }
  }
}

/** Makes a rename in the folder durable. Emscripten opens no descriptor for a folder, and `fdatasync` would not be enough. */
function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
