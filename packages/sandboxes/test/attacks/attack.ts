import type { SandboxLimits, SandboxOutcome } from '@executor/engine';

/** A hostile script and its expected end. `json` is the result of a script that must fail to do harm. */
export interface Attack {
  name: string;
  code: string;
  ends: SandboxOutcome['type'] | SandboxOutcome['type'][];
  json?: string;
  message?: RegExp;
  limits?: Partial<SandboxLimits>;
}
