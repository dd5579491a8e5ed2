import type { DetectOptions, SecurityScheme } from './source.ts';

/**
 * Finds out how a system wants its callers to authenticate. It works for every kind of source, because servers say it in HTTP. It sends no
 * credentials, and what it returns is what an untrusted server claims.
 */
export interface AccessProbe {
  /** Undefined if the server says nothing. Throws an `ExecutorError` with the code `unreachable` if it cannot be reached. */
  probe(url: string, options: DetectOptions): Promise<ProbedAccess | undefined>;
}

export interface ProbedAccess {
  /** Whether the server refused a request without credentials. */
  refused: boolean;
  security: SecurityScheme[];
  /** The servers that sign users in. */
  authorizationServers: string[];
}
