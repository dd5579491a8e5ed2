import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** A file independent of its names. `content` is the content on disk, recorded before the first change. */
interface File {
  content: Buffer | undefined;
}

interface Change {
  file: File;
  apply(content: Buffer): Buffer;
}

interface NameChange {
  file: File;
  folders: string[];
  apply(): void;
}

/**
 * A model of the disk under a folder that is being written. Bytes of a file reach the disk when the file is synced. A name reaches it when
 * its folder, or the file of that name, is synced.
 */
export class Disk {
  readonly #root: string;
  readonly #folders = new Set<string>();
  readonly #names = new Map<string, File>();
  readonly #files = new Map<number, File>();
  #changes: Change[] = [];
  #nameChanges: NameChange[] = [];

  /** The current content of the folder is on disk. */
  constructor(root: string) {
    this.#root = root;
    this.#readFolder(root);
  }

  /** Call before bytes are written to a file. */
  write(path: string, bytes: Buffer, position: number): void {
    this.#change(path, (content) => overwritten(content, bytes, position));
  }

  resize(path: string, size: number): void {
    this.#change(path, (content) => overwritten(content.subarray(0, size), Buffer.alloc(0), size));
  }

  /** Call after a file was created. */
  create(path: string): void {
    const file: File = { content: Buffer.alloc(0) };
    this.#files.set(lstatSync(path).ino, file);
    this.#rename(file, [path], () => this.#names.set(path, file));
  }

  makeFolder(path: string): void {
    this.#folders.add(path);
  }

  /** Call before a file is renamed, which may replace another file. */
  rename(from: string, to: string): void {
    const file = this.#recorded(from);
    this.#rename(file, [from, to], () => {
      this.#names.delete(from);
      this.#names.set(to, file);
    });
  }

  /** Call before a file is removed. */
  remove(path: string): void {
    this.#rename(this.#recorded(path), [path], () => this.#names.delete(path));
  }

  syncFile(path: string): void {
    const file = this.#fileAt(path);
    for (const change of this.#changes) if (change.file === file) applyTo(change);
    this.#changes = this.#changes.filter((change) => change.file !== file);
    this.#settleNames((change) => change.file === file);
  }

  syncFolder(path: string): void {
    this.#settleNames(({ folders }) => folders.includes(path));
  }

  /**
   * Writes the state after a power cut to another folder. `survives` decides which unsynced changes reached the disk: bytes in any order,
   * names in the order of their changes.
   */
  cut(target: string, survives: () => boolean): void {
    for (const change of this.#changes) if (survives()) applyTo(change);
    for (const change of this.#nameChanges) {
      if (!survives()) break;
      change.apply();
    }
    for (const folder of this.#folders) mkdirSync(this.#in(target, folder), { recursive: true, mode: 0o700 });
    for (const [path, file] of this.#names) {
      writeFileSync(this.#in(target, path), file.content ?? readFileSync(path), { mode: 0o600 });
    }
  }

  #readFolder(folder: string): void {
    this.#folders.add(folder);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) this.#readFolder(path);
      else this.#names.set(path, this.#fileAt(path));
    }
  }

  #fileAt(path: string): File {
    const { ino } = lstatSync(path);
    const file = this.#files.get(ino) ?? { content: undefined };
    this.#files.set(ino, file);
    return file;
  }

  /** Records the content on disk, because it cannot be read at this path later. */
  #recorded(path: string): File {
    const file = this.#fileAt(path);
    file.content ??= readFileSync(path);
    return file;
  }

  #change(path: string, apply: (content: Buffer) => Buffer): void {
    this.#changes.push({ file: this.#recorded(path), apply });
  }

  #rename(file: File, paths: string[], apply: () => void): void {
    this.#nameChanges.push({ file, folders: paths.map((path) => dirname(path)), apply });
  }

  #settleNames(concerns: (change: NameChange) => boolean): void {
    for (const change of this.#nameChanges) if (concerns(change)) change.apply();
    this.#nameChanges = this.#nameChanges.filter((change) => !concerns(change));
  }

  #in(target: string, path: string): string {
    return join(target, relative(this.#root, path));
  }
}

function applyTo({ file, apply }: Change): void {
  file.content = apply(file.content ?? Buffer.alloc(0));
}

/** Returns the content with these bytes at the position, changed in place if they fit. A gap is filled with zeros. */
function overwritten(content: Buffer, bytes: Buffer, position: number): Buffer {
  const end = position + bytes.length;
  const result =
    end <= content.length ? content : Buffer.concat([content, Buffer.alloc(end - content.length)]);
  bytes.copy(result, position);
  return result;
}
