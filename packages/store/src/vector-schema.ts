import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytes, time } from './columns.ts';

/** The vectors that language models have computed of texts, by the hash of the text. */
export const textVectors = pgTable(
  'text_vectors',
  {
    model: text().notNull(),
    hash: text().notNull(),
    vector: bytes().notNull(),
    /** The day of the last use, roughly. */
    usedAt: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.model, table.hash] }),
    index('text_vectors_used').on(table.usedAt),
  ],
);
