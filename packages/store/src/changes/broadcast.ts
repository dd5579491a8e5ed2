import { randomUUID } from 'node:crypto';
import type { StoreChange } from '@executor/engine';
import type { Database } from '../database.ts';

export const channel = 'executor_changes';

/** A committed change, or new wake-ups, which concern only the processes that receive them. */
export type Notice = StoreChange | { type: 'wakeUps' };

/** What travels between processes; the sender, so that nobody hears itself. */
export interface Message {
  sender: string;
  notices: Notice[];
}

/** What of a payload is a message of this version. Others may use the same database, and the same name for what they say. */
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

/** What each kind of notice names. */
const namesOf = new Map<unknown, string[]>([
  ['execution', ['workspaceId', 'executionId']],
  ['policies', ['workspaceId']],
  ['sources', ['workspaceId']],
  ['wakeUps', []],
] satisfies [Notice['type'], string[]][]);

/** A payload may have 8,000 bytes, and a notice has about 160. */
const noticesAtOnce = 40;

/**
 * Tells other processes what this one has committed: the first at once, and what comes up while it is under way together with the next.
 * While the database is away nothing is told, as nothing is committed.
 */
export class Broadcast {
  readonly sender = randomUUID();
  readonly #database: Database;
  readonly #waiting = new Map<string, Notice>();
  #sending: Promise<void> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  tell(notice: Notice): void {
    this.#waiting.set(JSON.stringify(notice), notice);
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
  }

  /** Says what there is to say, if that can be said. */
  async close(): Promise<void> {
    await this.#sending;
  }

  async #send(): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, noticesAtOnce);
      for (const [key] of batch) this.#waiting.delete(key);
      const message: Message = { sender: this.sender, notices: batch.map(([, notice]) => notice) };
      await this.#database.query(notify, [channel, JSON.stringify(message)]).catch(() => {});
    }
  }
}

const notify = { name: 'changes-notify', text: 'select pg_notify($1, $2)' };
