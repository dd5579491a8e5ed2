import type { SandboxLimits, SandboxOutcome } from '@executor/engine';

/** A hostile script and how it must end. `json` is what it returns when it must fail to do harm. */
export interface Attack {
  name: string;
  code: string;
  ends: SandboxOutcome['type'] | SandboxOutcome['type'][];
  json?: string;
  message?: RegExp;
  limits?: Partial<SandboxLimits>;
}
