import type { NewAuditEntry, SourceContent, SourceRow, SourceStore } from '@executor/engine';
import { ExecutorError } from '@executor/protocol';
import { and, asc, eq, gte, lt, ne, sql as raw } from 'drizzle-orm';
import type { Changes } from '../changes/changes.ts';
import type { Database, Sql } from '../database.ts';
import { events } from '../execution-schema.ts';
import { policies } from '../schema.ts';
import { sourceChunks, sources } from '../source-schema.ts';
import { appendAudit } from './audit.ts';

/** Maximum bytes per statement, unless one chunk is larger: a statement is in memory several times. */
const bytesAtOnce = 2 * 1024 * 1024;
const piecesAtOnce = 200;
const piecesPerRead = 64;

type Part = 'tools' | 'document' | 'files';

export function sourceStore(database: Database, changes: Changes): SourceStore {
  return {
    all: (workspaceId) =>
      database.run((sql) =>
        sql
          .select()
          .from(sources)
          .where(eq(sources.workspaceId, workspaceId))
          .orderBy(asc(sources.namespace)),
      ),

    revisions: (workspaceId) => database.query(revisionsStatement, [workspaceId]),

    async find(workspaceId, id) {
      const [row] = await database.run((sql) => sql.select().from(sources).where(isSource(workspaceId, id)));
      return row;
    },

    async create(row, content, audit) {
      const created = await database.transaction(async (sql) => {
        const written = await sql
          .insert(sources)
          .values(row)
          .onConflictDoNothing({ target: [sources.workspaceId, sources.namespace] })
          .returning({ id: sources.id });
        if (written.length === 0) return false;
        await writeContent(sql, row, content);
        await note(sql, row, audit);
        return true;
      });
      if (created) changes.sources(row.workspaceId);
      return created;
    },

    async replace(row, content, audit) {
      const replaced = await database.transaction(async (sql) => {
        const written = await sql
          .update(sources)
          .set(row)
          .where(and(isSource(row.workspaceId, row.id), eq(sources.revision, row.revision - 1)))
          .returning({ id: sources.id });
        if (written.length === 0) return false;
        if (content) await replaceContent(sql, row, content);
        await note(sql, row, audit);
        return true;
      });
      if (replaced) changes.sources(row.workspaceId);
      return replaced;
    },

    async rename(row, tools, rules, [audit, ...others]) {
      if (audit === undefined) throw new RangeError('A rename has an audit entry.');
      const renamed = await database
        .transaction(async (sql) => {
          if (!(await writeRenamed(sql, row, tools))) throw new Outdated();
          for (const { id, from, to } of rules) {
            const written = await sql
              .update(policies)
              .set({ pattern: to, updatedAt: audit.at })
              .where(
                and(
                  eq(policies.workspaceId, row.workspaceId),
                  eq(policies.id, id),
                  eq(policies.pattern, from),
                ),
              )
              .returning({ id: policies.id });
            if (written.length === 0) throw new Outdated();
          }
          if (await hasRulesOfFormerNamespace(sql, row)) throw new Outdated();
          await note(sql, row, audit);
          for (const entry of others) await appendAudit(sql, entry);
          return true;
        })
        .catch((error) => {
          if (error instanceof Outdated) return false;
          throw error;
        });
      if (!renamed) return false;
      changes.sources(row.workspaceId);
      changes.policies(row.workspaceId);
      return true;
    },

    async remove(workspaceId, id, audit) {
      const removed = await database.transaction(async (sql) => {
        const [row] = await sql
          .delete(sources)
          .where(isSource(workspaceId, id))
          .returning({ revision: sources.revision });
        if (row) await note(sql, { id, revision: row.revision + 1 }, audit);
        return row !== undefined;
      });
      if (removed) changes.sources(workspaceId);
      return removed;
    },

    async removeEvents(workspaceId, before, limit) {
      const [row] = await database.query<{ removed: number }>(eventRemovalStatement, [
        workspaceId,
        before,
        limit,
      ]);
      return row?.removed ?? 0;
    },

    async readTools(contentId) {
      const pieces: Uint8Array[] = [];
      try {
        for await (const piece of readPieces(database, contentId, 'tools')) pieces.push(piece);
      } catch (error) {
        if (error instanceof ContentGone) return undefined;
        throw error;
      }
      return pieces.length > 0 ? pieces : undefined;
    },

    readDocument: (contentId) => readPieces(database, contentId, 'document'),

    readFiles: (contentId, range) => readPieces(database, contentId, 'files', range),
  };
}

/** The fields of an audit entry that appear in the workspace feed. */
const feedFields = ['namespace', 'kind', 'toolCount', 'unseen', 'added', 'changed', 'removed', 'tools'];

/** Writes the audit entry and the feed event of a change. Each revision of a source has one. */
async function note(
  sql: Sql,
  { id, revision }: Pick<SourceRow, 'id' | 'revision'>,
  audit: NewAuditEntry,
): Promise<void> {
  await appendAudit(sql, audit);
  const { workspaceId, at, action: type, details = {} } = audit;
  const data = {
    type,
    ...Object.fromEntries(Object.entries(details).filter(([key]) => feedFields.includes(key))),
  };
  await sql.insert(events).values({ sourceId: id, seq: revision, workspaceId, at, type, data });
}

const revisionsStatement = {
  name: 'source-revisions',
  text: 'select id, revision::float8 as revision from sources where workspace_id = $1',
};

export const eventRemovalStatement = {
  name: 'source-remove-events',
  text: `
    with old as (
      select source_id, seq from events
      where workspace_id = $1 and source_id is not null and at < $2
      limit $3 for update skip locked
    ), removed as (
      delete from events using old
      where events.source_id = old.source_id and events.seq = old.seq returning 1
    )
    select count(*)::integer as removed from removed`,
};

function isSource(workspaceId: string, id: string) {
  return and(eq(sources.workspaceId, workspaceId), eq(sources.id, id));
}

/** Undoes a transaction whose row was changed by another writer. */
/** Rolls a rename back. Any error that is not an `ExecutorError` would count as a lost connection to the database. */
class Outdated extends ExecutorError {
  constructor() {
    super('conflict', 'The source or its rules were changed meanwhile.');
  }
}

/** Whether a rule that was added meanwhile names the former namespace. Left as it is, it would match no tool. */
async function hasRulesOfFormerNamespace(
  sql: Sql,
  { workspaceId, provenance }: Pick<SourceRow, 'workspaceId' | 'provenance'>,
): Promise<boolean> {
  const former = provenance.formerNamespaces?.at(-1);
  if (former === undefined) return false;
  const { pattern } = policies;
  const found = await sql
    .select({ id: policies.id })
    .from(policies)
    .where(
      and(
        eq(policies.workspaceId, workspaceId),
        raw`(${pattern} = ${former} or starts_with(${pattern}, ${`${former}.`}))`,
      ),
    )
    .limit(1);
  return found.length > 0;
}

/** Keeps the document, under the id of the new content. */
async function writeRenamed(sql: Sql, row: SourceRow, tools: Uint8Array[]): Promise<boolean> {
  const { id, workspaceId, namespace, contentId, revision } = row;
  const taken = await sql
    .select({ id: sources.id })
    .from(sources)
    .where(and(eq(sources.workspaceId, workspaceId), eq(sources.namespace, namespace), ne(sources.id, id)));
  if (taken.length > 0) return false;
  const written = await sql
    .update(sources)
    .set(row)
    .where(and(isSource(workspaceId, id), eq(sources.revision, revision - 1)))
    .returning({ id: sources.id });
  if (written.length === 0) return false;
  await sql.delete(sourceChunks).where(and(eq(sourceChunks.sourceId, id), eq(sourceChunks.part, 'tools')));
  await sql.update(sourceChunks).set({ contentId }).where(eq(sourceChunks.sourceId, id));
  await writeContent(sql, row, { tools, document: [], files: [] });
  return true;
}

async function replaceContent(sql: Sql, row: SourceRow, content: SourceContent): Promise<void> {
  await sql
    .delete(sourceChunks)
    .where(and(eq(sourceChunks.sourceId, row.id), ne(sourceChunks.contentId, row.contentId)));
  await writeContent(sql, row, content);
}

async function writeContent(
  sql: Sql,
  { id, contentId }: SourceRow,
  { tools, document, files }: SourceContent,
): Promise<void> {
  for (const [part, pieces] of Object.entries({ tools, document, files }) as [Part, Uint8Array[]][]) {
    for (const { first, batch } of batchesOf(pieces)) {
      const rows = batch.map((content, index) => ({
        contentId,
        part,
        number: first + index,
        sourceId: id,
        content,
      }));
      await sql.insert(sourceChunks).values(rows);
    }
  }
}

function* batchesOf(pieces: Uint8Array[]): Iterable<{ first: number; batch: Uint8Array[] }> {
  let batch: Uint8Array[] = [];
  let size = 0;
  let first = 0;
  for (const piece of pieces) {
    if (batch.length > 0 && (batch.length >= piecesAtOnce || size + piece.length > bytesAtOnce)) {
      yield { first, batch };
      first += batch.length;
      batch = [];
      size = 0;
    }
    batch.push(piece);
    size += piece.length;
  }
  if (batch.length > 0) yield { first, batch };
}

/** The content was replaced or removed during the read. */
class ContentGone extends ExecutorError {
  constructor() {
    super('gone', 'The source was changed or removed during the read. Try again.');
  }
}

/** Reads a few chunks at a time. Content is immutable but may be deleted meanwhile, and missing chunks would look like the end. */
async function* readPieces(
  database: Database,
  contentId: string,
  part: Part,
  range?: { from: number; count: number },
): AsyncIterable<Uint8Array> {
  const { from: first, count } = range ?? { from: 0, count: await countPieces(database, contentId, part) };
  const end = first + count;
  for (let from = first; from < end; from += piecesPerRead) {
    const to = Math.min(from + piecesPerRead, end);
    const rows = await database.run((sql) =>
      sql
        .select({ content: sourceChunks.content })
        .from(sourceChunks)
        .where(and(isPart(contentId, part), gte(sourceChunks.number, from), lt(sourceChunks.number, to)))
        .orderBy(asc(sourceChunks.number)),
    );
    if (rows.length < to - from) throw new ContentGone();
    for (const { content } of rows) yield content;
  }
}

async function countPieces(database: Database, contentId: string, part: Part): Promise<number> {
  const [row] = await database.run((sql) =>
    sql
      .select({ count: raw`count(*)`.mapWith(Number) })
      .from(sourceChunks)
      .where(isPart(contentId, part)),
  );
  return row?.count ?? 0;
}

function isPart(contentId: string, part: Part) {
  return and(eq(sourceChunks.contentId, contentId), eq(sourceChunks.part, part));
}
