import type { TypeProblem } from '@executor/engine';

/** What the server says to the process that checks. */
export interface ToChecker {
  id: number;
  code: string;
  declarations: string;
}

/** What comes back. `megabytes` is what it and TypeScript have in memory. */
export type FromChecker =
  | { type: 'ready' }
  | { type: 'checked'; id: number; problems: TypeProblem[]; megabytes: number }
  | { type: 'failed'; id: number; message: string };
