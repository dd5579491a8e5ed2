import type { StoreChange } from '@executor/engine';
import type { Database } from '../database.ts';

export const channel = 'executor_changes';

/** A committed change or a notice of a call, or new wake-ups, which concern only the processes that receive them. */
export type Notice = StoreChange | { type: 'wakeUps' };

/** A message between processes, with its sender so that a process ignores its own. */
export interface Message {
  sender: string;
  notices: Notice[];
}

/** Parses a payload; undefined if it is not a message of this version. Other programs may use the same channel name. */
export function readMessage(payload: string): Message | undefined {
  const message = parsed(payload) as Partial<Message> | null | undefined;
  if (typeof message?.sender !== 'string' || !Array.isArray(message.notices)) return undefined;
  return { sender: message.sender, notices: message.notices.filter(isNotice) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isNotice(value: unknown): value is Notice {
  const notice = value as Record<string, unknown> | null | undefined;
  const names = namesOf.get(notice?.type);
  return names?.every((name) => typeof notice?.[name] === 'string') ?? false;
}

/** The fields of each kind of notice. */
const namesOf = new Map<unknown, string[]>([
  ['execution', ['workspaceId', 'executionId']],
  ['policies', ['workspaceId']],
  ['sources', ['workspaceId']],
  ['sessions', ['workspaceId']],
  ['callSent', ['scope', 'hash', 'id']],
  ['callCancelled', ['scope', 'hash', 'id']],
  ['wakeUps', []],
] satisfies [Notice['type'], string[]][]);

/** A payload has at most 8,000 bytes, and a notice about 160. */
const noticesAtOnce = 40;

/**
 * Notifies other processes of commits: the first at once, and those that follow while it is in flight together in the next message.
 * While the database is away nothing is sent, because nothing is committed.
 */
export class Broadcast {
  readonly #database: Database;
  /** The id of this process. */
  readonly #sender: string;
  readonly #waiting = new Map<string, Notice>();
  #sending: Promise<void> | undefined;

  constructor(database: Database, sender: string) {
    this.#database = database;
    this.#sender = sender;
  }

  tell(notice: Notice): void {
    this.#waiting.set(JSON.stringify(notice), notice);
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
  }

  /** Sends the pending notices, if the database answers. */
  async close(): Promise<void> {
    await this.#sending;
  }

  async #send(): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, noticesAtOnce);
      for (const [key] of batch) this.#waiting.delete(key);
      const message: Message = { sender: this.#sender, notices: batch.map(([, notice]) => notice) };
      await this.#database.query(notify, [channel, JSON.stringify(message)]).catch(() => {});
    }
  }
}

const notify = { name: 'changes-notify', text: 'select pg_notify($1, $2)' };
