/**
 * Checks code against the types of the tools that it uses, before it runs.
 *
 * An implementation may assume nothing about the code, which is untrusted and may be written to take forever. It must never throw because
 * of the code, read a file that the code names, exceed its deadline, or run any of the code.
 */
export interface TypeChecker {
  check(request: TypeCheckRequest): Promise<TypeCheck>;
}

export interface TypeCheckRequest {
  /** The key that is charged. The code of one key must not delay the checks of others for long. */
  owner: string;
  /** The submitted TypeScript with the wrapper around it. */
  code: string;
  /** The declarations of `tools`. The language and the globals of the sandbox are known. */
  declarations: string;
}

export type TypeCheck =
  | { type: 'checked'; problems: TypeProblem[] }
  /** The check was not possible. `reason` is a sentence. */
  | { type: 'skipped'; reason: string };

export interface TypeProblem {
  /** The error number of TypeScript. */
  code: number;
  message: string;
  /** The offset in the code, in characters. */
  position: number;
  /** The tool call with the problem, and whether its path or its input is wrong. Absent for a problem of other code. */
  call?: { path: string; part: 'path' | 'input' };
  /** Whether the code is wrong for all values of these types. */
  isCertain: boolean;
}
