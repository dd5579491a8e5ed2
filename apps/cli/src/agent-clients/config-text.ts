import { ExecutorError } from '@executor/protocol';
import type { Entry } from './agent-client.ts';

/**
 * The text of a client's file and the one entry in it that is ours. Everything else stays as it is, to the byte: order, comments, white
 * space. A text that is not understood, or that comes out of an edit with more changed than the entry, is refused and never written.
 */
export interface ConfigText {
  /** Our entry, as plain values. */
  read(text: string): unknown;
  /** The text with that entry, in the place of an older one or as the last. */
  set(text: string, entry: Entry): string;
  /** The text without the entry, and without what held it where `andContainer` says so and nothing else is in there. */
  remove(text: string, options?: { andContainer?: boolean }): string;
  /** The text with the entry of another one, as it is written there, in the place of its own. */
  restore(text: string, from: string): string;
  /** Whether there is something that entries are kept in. */
  hasContainer(text: string): boolean;
  /** What to paste into an empty file. */
  snippet(entry: Entry): string;
}

/** The refusal of a text. */
export function unusableText(path: string, problem: string, cause?: unknown): ExecutorError {
  return new ExecutorError('invalidConfig', `${path} was left as it is: ${problem}.`, {
    details: { path },
    cause,
  });
}

/** Windows's editors begin files with a byte order mark. It stays in the file; parsers are shown a space, so that places stay the same. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text;
}
