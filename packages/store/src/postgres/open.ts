import { withoutPassword } from '@executor/home';
import { Client, Pool } from 'pg';
import { Database } from '../database.ts';

export interface PostgresOptions {
  url: string;
  onProblem(message: string, details: Record<string, unknown>): void;
}

/** Opens a database on a Postgres server. */
export function openPostgres({ url, onProblem }: PostgresOptions): Database {
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    // A server that never answers (a stopped machine, a dropped network) counts as away.
    query_timeout: 20_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    application_name: 'executor',
  };
  const pool = new Pool({ ...connection, max: 10 });
  return new Database({
    kind: 'postgres',
    pool,
    onProblem,
    unavailable: (reason) =>
      `The Postgres database at ${withoutPassword(url)} does not answer (${reason}). Check that it is running and that EXECUTOR_DATABASE_URL is right. Executor retries every second.`,
    release: async () => {},
    newClient: () => new Client(connection),
  });
}
