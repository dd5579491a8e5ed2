import type { SourceRow } from '@executor/engine';
import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytes, createdAt, id, jsonText, time } from './columns.ts';
import { workspaceId } from './schema.ts';

/** The tables of sources: their rows and their content. */
export const sources = pgTable(
  'sources',
  {
    id: id(),
    workspaceId: workspaceId(),
    namespace: text().notNull(),
    kind: text().notNull(),
    name: jsonText<string>().notNull(),
    settings: jsonText<SourceRow['settings']>().notNull(),
    auth: jsonText<SourceRow['auth']>().notNull(),
    authId: text().notNull(),
    approval: jsonText<SourceRow['approval']>().notNull(),
    edits: jsonText<SourceRow['edits']>().notNull(),
    unseen: jsonText<SourceRow['unseen']>().notNull(),
    title: jsonText<string>(),
    description: jsonText<string>(),
    baseUrl: jsonText<string>(),
    origins: jsonText<SourceRow['origins']>().notNull().default(sql`'[]'`),
    provenance: jsonText<SourceRow['provenance']>('given').notNull().default(sql`'{}'`),
    security: jsonText<SourceRow['security']>().notNull(),
    warnings: jsonText<SourceRow['warnings']>().notNull(),
    toolCount: integer().notNull(),
    suggestionCount: integer().notNull(),
    document: jsonText<NonNullable<SourceRow['document']>>(),
    contentId: text().notNull(),
    revision: bigint({ mode: 'number' }).notNull(),
    createdBy: text().notNull(),
    createdAt: createdAt(),
    updatedAt: time().notNull(),
    loadedAt: time().notNull(),
  },
  (table) => [uniqueIndex('sources_namespace').on(table.workspaceId, table.namespace)],
);

/** The packed tools and the compressed document of a source in chunks, so that no statement carries all of it. */
export const sourceChunks = pgTable(
  'source_chunks',
  {
    contentId: text().notNull(),
    part: text({ enum: ['tools', 'document', 'files'] }).notNull(),
    number: integer().notNull(),
    sourceId: text()
      .notNull()
      .references(() => sources.id, { onDelete: 'cascade' }),
    content: bytes().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.contentId, table.part, table.number] }),
    index('source_chunks_source').on(table.sourceId),
  ],
);
