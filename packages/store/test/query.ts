import type { QueryResult } from 'pg';
import type { Database } from '../src/database.ts';

/** What the store's port does not offer: any statement. */
export function query(database: Database, sql: string): Promise<QueryResult> {
  return database.withClient((client) => client.query(sql));
}
