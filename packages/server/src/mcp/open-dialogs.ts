import { randomUUID } from 'node:crypto';
import type { DialogQuestion } from '@executor/engine';

/** Whose dialog it is. */
export interface DialogPlace {
  ownerId: string;
  sessionId: string;
}

/** A question that was sent to a client of the session era, which answers it in another request. */
export class OpenDialog {
  /** By which the client answers: a name that nobody else can guess. */
  readonly id = randomUUID();
  readonly question: DialogQuestion;
  readonly expiresAt: number;
  readonly #unanswered = new AbortController();
  #isLost = false;
  /** Why an answer was not taken. */
  refusal: string | undefined;

  constructor(question: DialogQuestion, expiresAt: number) {
    this.question = question;
    this.expiresAt = expiresAt;
  }

  /** Aborted when it is over and has answered nothing. */
  get unanswered(): AbortSignal {
    return this.#unanswered.signal;
  }

  leaveUnanswered(): void {
    this.#unanswered.abort();
  }

  /** Whether the stream that it went out on broke: whether anybody sees it is not known, so it is asked again. An answer to it still counts. */
  get isLost(): boolean {
    return this.#isLost;
  }

  lose(): void {
    this.#isLost = true;
    this.leaveUnanswered();
  }
}

const lifeMs = 30 * 60_000;
const maxOfOwner = 200;

/**
 * The dialogs that clients of the session era have open. They outlive the call that opened them: people take longer than calls may. They do
 * not outlive this process, and an answer that reaches another one is no answer; the question itself is in the database, so it can be asked
 * again, and be answered elsewhere meanwhile.
 */
export class OpenDialogs {
  readonly #owners = new Map<string, Map<string, { sessionId: string; dialog: OpenDialog }>>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Undefined where the owner has too many of them. */
  open({ ownerId, sessionId }: DialogPlace, question: DialogQuestion): OpenDialog | undefined {
    this.#sweep();
    const dialogs = this.#owners.get(ownerId) ?? new Map();
    if (dialogs.size >= maxOfOwner) return undefined;
    const dialog = new OpenDialog(question, this.#now() + lifeMs);
    this.#owners.set(ownerId, dialogs.set(dialog.id, { sessionId, dialog }));
    return dialog;
  }

  /** One that this client has open about the same. */
  find({ ownerId, sessionId }: DialogPlace, { interactionId, hash }: DialogQuestion): OpenDialog | undefined {
    for (const { sessionId: session, dialog } of this.#owners.get(ownerId)?.values() ?? []) {
      const { question, expiresAt } = dialog;
      const isSame = question.interactionId === interactionId && question.hash === hash;
      if (session === sessionId && isSame && !dialog.isLost && expiresAt > this.#now()) return dialog;
    }
    return undefined;
  }

  /** The dialog that is answered; once. */
  take({ ownerId, sessionId }: DialogPlace, id: unknown): OpenDialog | undefined {
    const held = typeof id === 'string' ? this.#owners.get(ownerId)?.get(id) : undefined;
    if (held === undefined || held.sessionId !== sessionId) return undefined;
    this.forget(ownerId, held.dialog);
    return held.dialog.expiresAt > this.#now() ? held.dialog : undefined;
  }

  /** Answers whether it was still there. */
  forget(ownerId: string, { id }: OpenDialog): boolean {
    const dialogs = this.#owners.get(ownerId);
    const wasThere = dialogs?.delete(id) ?? false;
    if (dialogs?.size === 0) this.#owners.delete(ownerId);
    return wasThere;
  }

  #sweep(): void {
    for (const [ownerId, dialogs] of this.#owners) {
      for (const { dialog } of dialogs.values()) {
        if (dialog.expiresAt <= this.#now()) this.forget(ownerId, dialog);
      }
    }
  }
}
