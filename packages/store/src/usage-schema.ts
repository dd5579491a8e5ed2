import { bigint, date, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

/**
 * What each owner of runs keeps in a workspace. Each write changes these counts in its own transaction. There is no foreign key: rows are
 * written only together with rows that have one.
 */
export const storedUsage = pgTable(
  'stored_usage',
  {
    workspaceId: text().notNull(),
    ownerId: text().notNull(),
    kind: text({ enum: ['person', 'agent'] }).notNull(),
    bytes: bigint({ mode: 'number' }).notNull().default(0),
    runs: integer().notNull().default(0),
    /** A trigger counts down when a question is no longer pending. */
    questions: integer().notNull().default(0),
    /** The day (UTC) of `audit_rows`. */
    auditDay: date({ mode: 'string' }),
    auditRows: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.ownerId] })],
);
