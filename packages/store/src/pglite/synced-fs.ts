import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** What PGlite hands to a `preRun` hook, as far as we use it: Emscripten's file system with its operations on open files. */
export interface PostgresModule {
  NODEFS: { stream_ops: StreamOperations; realPath(node: unknown): string };
}

export interface OpenStream {
  nfd?: number;
  node: unknown;
}

export interface StreamOperations {
  fsync?(stream: OpenStream): number;
  write(
    stream: OpenStream,
    buffer: ArrayLike<number>,
    offset: number,
    length: number,
    position: number,
  ): number;
}

/** PGlite's file system on a real folder, with an `fsync` that reaches the disk; PGlite's own does nothing. */
export class SyncedNodeFS extends NodeFS {
  override async init(pg: PGlite, options: Parameters<NodeFS['init']>[1]): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options);
    const hook = (module: unknown) => this.prepare(module as PostgresModule);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), hook] } };
  }

  protected prepare({ NODEFS }: PostgresModule): void {
    NODEFS.stream_ops.fsync = (stream) => {
      if (stream.nfd === undefined) syncFolder(NODEFS.realPath(stream.node));
      else fdatasyncSync(stream.nfd);
      return 0;
    };
  }
}

/** Emscripten opens no descriptor for a folder, whose sync is what makes a rename in it last. */
function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
