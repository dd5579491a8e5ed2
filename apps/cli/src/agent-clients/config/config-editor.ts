import { ExecutorError } from '@executor/protocol';
import type { Entry } from '../agent-client.ts';

/**
 * Edits Executor's entry in the text of a client's file. An edit keeps everything else byte for byte: order, comments and white space. An
 * editor throws if it cannot parse the text, or if the edit would change more than the entry.
 */
export interface ConfigEditor {
  /** The whole file as plain values. */
  values(text: string): Record<string, unknown>;
  /** Executor's entry as plain values. Undefined if there is none. */
  read(text: string): unknown;
  /** Replaces the entry, or adds it at the end. */
  set(text: string, entry: Entry): string;
  /** Removes the entry. With `andContainer`, it also removes the container if nothing else is in it. */
  remove(text: string, options?: { andContainer?: boolean }): string;
  /** Replaces the entry by that of another text, with its formatting. */
  restore(text: string, from: string): string;
  /** Whether the text has the object or table that contains the entries. */
  hasContainer(text: string): boolean;
  /** The entry as a complete file, to paste. */
  snippet(entry: Entry): string;
}

/** The error for a file that Executor does not change. */
export function unusableFile(path: string, problem: string, cause?: unknown): ExecutorError {
  return new ExecutorError('invalidConfig', `${path} was not changed: ${problem}.`, {
    details: { path },
    cause,
  });
}

/**
 * Replaces a byte order mark, which editors on Windows write, by a space for the parser. Positions remain valid, and the file keeps the
 * mark.
 */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text;
}
