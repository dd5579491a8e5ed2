import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PostgresModule, SyncedNodeFS } from '../src/pglite/synced-fs.ts';
import { Disk } from './disk.ts';
import { seededRandom } from './seeded-random.ts';

export interface PowerCutPlan {
  /** The number of operations before the power cut. */
  after: number;
  /** Whether a sync reaches the disk. With PGlite's own file system it does not. */
  synced: boolean;
  /** The probability that an unsynced change reached the disk. */
  survival: number;
  seed: number;
}

/** A file system that loses power. It then writes the remaining state to `FOLDER.cut` and ends the thread. The plan is in `FOLDER.plan`. */
export class PowerCutFS extends SyncedNodeFS {
  readonly #folder: string;
  readonly #disk: Disk;
  readonly #plan: PowerCutPlan;
  #operations = 0;

  constructor(folder: string) {
    super(folder);
    this.#folder = folder;
    this.#disk = new Disk(folder);
    this.#plan = JSON.parse(readFileSync(`${folder}.plan`, 'utf8'));
  }

  protected override prepare(module: PostgresModule): void {
    super.prepare(module);
    this.#recordContent(module);
    this.#recordNames(module);
    if (this.#plan.synced) this.#recordSyncs(module);
    else delete module.NODEFS.stream_ops.fsync;
  }

  #recordContent({ NODEFS: { stream_ops, node_ops, realPath } }: PostgresModule): void {
    const { write, setattr: resizeOpen } = stream_ops;
    const { setattr: resize } = node_ops;
    stream_ops.write = (stream, buffer, offset, length, position) => {
      this.#countOperation();
      const bytes = Buffer.from(buffer.slice(offset, offset + length).buffer);
      this.#disk.write(realPath(stream.node), bytes, position);
      return write(stream, buffer, offset, length, position);
    };
    stream_ops.setattr = (stream, attributes) => {
      this.#noteSize(realPath(stream.node), attributes.size);
      resizeOpen(stream, attributes);
    };
    node_ops.setattr = (node, attributes) => {
      this.#noteSize(realPath(node), attributes.size);
      resize(node, attributes);
    };
  }

  #recordNames({ FS, NODEFS: { node_ops, realPath } }: PostgresModule): void {
    const { mknod, rename, unlink } = node_ops;
    node_ops.mknod = (parent, name, mode, device) => {
      this.#countOperation();
      const node = mknod(parent, name, mode, device);
      if (FS.isDir(mode)) this.#disk.makeFolder(realPath(node));
      else this.#disk.create(realPath(node));
      return node;
    };
    node_ops.rename = (node, parent, name) => {
      this.#countOperation();
      this.#disk.rename(realPath(node), join(realPath(parent), name));
      rename(node, parent, name);
    };
    node_ops.unlink = (parent, name) => {
      this.#countOperation();
      this.#disk.remove(join(realPath(parent), name));
      unlink(parent, name);
    };
  }

  #recordSyncs({ FS, NODEFS: { stream_ops, realPath } }: PostgresModule): void {
    const { fsync } = stream_ops;
    stream_ops.fsync = (stream) => {
      this.#countOperation();
      const path = realPath(stream.node);
      const result = fsync?.(stream) ?? 0;
      if (FS.isDir(stream.node.mode)) this.#disk.syncFolder(path);
      else this.#disk.syncFile(path);
      return result;
    };
  }

  #noteSize(path: string, size: number | undefined): void {
    if (size === undefined) return;
    this.#countOperation();
    this.#disk.resize(path, size);
  }

  #countOperation(): void {
    this.#operations += 1;
    if (this.#operations <= this.#plan.after) return;
    const random = seededRandom(this.#plan.seed);
    this.#disk.cut(`${this.#folder}.cut`, () => random() < this.#plan.survival);
    process.exit(1);
  }
}
