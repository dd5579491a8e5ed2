import type { PrincipalKind } from '@executor/protocol';

/** Whoever accesses a database. */
interface Charged {
  kind: PrincipalKind;
  key: string;
  workspaceId: string;
}

interface Turn {
  release(): void;
}

/** Decides who accesses a database next. */
export interface Turns {
  /** Undefined if somebody else is at work or waits. */
  tryTake(account: Charged): Turn | undefined;
  /** Rejects with the reason of the signal. */
  take(account: Charged, amount?: number, signal?: AbortSignal): Promise<Turn>;
}
