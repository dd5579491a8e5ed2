import { randomUUID } from 'node:crypto';
import type { DialogQuestion } from '@executor/engine';

/** Identifies the client that shows a dialog. */
export interface ClientKey {
  ownerId: string;
  sessionId: string;
}

/** A question sent to a client of the session era. The client answers in another request. */
export class OpenDialog {
  /** The client answers with this id. It cannot be guessed. */
  readonly id = randomUUID();
  readonly question: DialogQuestion;
  readonly expiresAt: number;
  readonly #unanswered = new AbortController();
  #isLost = false;
  /** Why an answer was rejected. */
  refusal: string | undefined;

  constructor(question: DialogQuestion, expiresAt: number) {
    this.question = question;
    this.expiresAt = expiresAt;
  }

  /** Aborted when the dialog ends without an answer. */
  get unanswered(): AbortSignal {
    return this.#unanswered.signal;
  }

  leaveUnanswered(): void {
    this.#unanswered.abort();
  }

  /** Whether its stream broke. The user may not see the dialog, so Executor asks again. An answer to it still counts. */
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
 * The open dialogs of clients of the session era. A dialog may outlive the call that opened it, because users take longer than calls may.
 * It does not outlive this process, and other processes ignore its answer. The question itself is in the database, so Executor can ask
 * again, and the user can answer elsewhere.
 */
export class OpenDialogs {
  readonly #owners = new Map<string, Map<string, { sessionId: string; dialog: OpenDialog }>>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Returns undefined if the owner has too many open dialogs. */
  open({ ownerId, sessionId }: ClientKey, question: DialogQuestion): OpenDialog | undefined {
    this.#sweep();
    const dialogs = this.#owners.get(ownerId) ?? new Map();
    if (dialogs.size >= maxOfOwner) return undefined;
    const dialog = new OpenDialog(question, this.#now() + lifeMs);
    this.#owners.set(ownerId, dialogs.set(dialog.id, { sessionId, dialog }));
    return dialog;
  }

  /** A dialog in which this client already shows the same question. */
  find({ ownerId, sessionId }: ClientKey, { interactionId, hash }: DialogQuestion): OpenDialog | undefined {
    for (const { sessionId: session, dialog } of this.#owners.get(ownerId)?.values() ?? []) {
      const { question, expiresAt } = dialog;
      const isSame = question.interactionId === interactionId && question.hash === hash;
      if (session === sessionId && isSame && !dialog.isLost && expiresAt > this.#now()) return dialog;
    }
    return undefined;
  }

  /** Removes and returns the dialog that an answer belongs to. A second answer finds nothing. */
  take({ ownerId, sessionId }: ClientKey, id: unknown): OpenDialog | undefined {
    const held = typeof id === 'string' ? this.#owners.get(ownerId)?.get(id) : undefined;
    if (held === undefined || held.sessionId !== sessionId) return undefined;
    this.forget(ownerId, held.dialog);
    return held.dialog.expiresAt > this.#now() ? held.dialog : undefined;
  }

  /** Returns whether the dialog was still open. */
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
