/**
 * What reads code against the types of the tools that it names, before it runs.
 *
 * An implementation may assume nothing about the code: it is not ours, and may be written to take for ever. It must never throw for what
 * the code is, never read a file that the code names, never take longer than its deadline, and never run any of the code.
 */
export interface TypeChecker {
  check(request: TypeCheckRequest): Promise<TypeCheck>;
}

export interface TypeCheckRequest {
  /** Whose code it is: what one of them wrote must not keep the others waiting. */
  workspaceId: string;
  /** TypeScript, as it was written, in whatever is put around it. */
  code: string;
  /** What it may use beside the language and the globals of the sandbox: `tools`. */
  declarations: string;
}

export type TypeCheck =
  | { type: 'checked'; problems: TypeProblem[] }
  /** It could not be read, for a reason that a sentence tells. */
  | { type: 'skipped'; reason: string };

export interface TypeProblem {
  /** The number that TypeScript has for it. */
  code: number;
  message: string;
  /** Where it begins in the code, in characters. */
  position: number;
  /** The call of a tool that it is about: that path, or what the call is given. */
  call?: { path: string; part: 'path' | 'input' };
  /** Whether the call could not work whatever the values are: types say less than values do. */
  isCertain: boolean;
}
