import type { QueryResult } from 'pg';
import type { Database } from '../src/database.ts';

/** Runs any statement, which the port does not offer. */
export function query(database: Database, sql: string): Promise<QueryResult> {
  return database.withClient((client) => client.query(sql));
}
