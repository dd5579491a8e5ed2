import type { TypeProblem } from '@executor/engine';

/** Messages from the server to the checker process. */
export interface ToChecker {
  id: number;
  code: string;
  declarations: string;
}

/** Messages from the checker process. `megabytes` is its memory including TypeScript. */
export type FromChecker =
  | { type: 'ready' }
  | { type: 'checked'; id: number; problems: TypeProblem[]; megabytes: number }
  | { type: 'failed'; id: number; message: string };
