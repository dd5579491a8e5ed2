import type { ArtifactStore } from '@executor/engine';
import { and, asc, between, eq, sql as raw } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { artifactChunks, artifacts } from '../execution-schema.ts';

const chunkBytes = 256 * 1024;
/** What one statement carries at most: beside the bytes themselves it is in memory several times over on the way. */
const chunksAtOnce = 8;

export function artifactStore(database: Database): ArtifactStore {
  return {
    put: (artifact, content) =>
      database.transaction(async (sql) => {
        const written = await sql
          .insert(artifacts)
          .values(artifact)
          .onConflictDoNothing({ target: artifacts.id })
          .returning({ id: artifacts.id });
        if (written.length === 0) return;
        const chunks = chunksOf(artifact.id, content);
        for (let from = 0; from < chunks.length; from += chunksAtOnce) {
          await sql.insert(artifactChunks).values(chunks.slice(from, from + chunksAtOnce));
        }
      }),

    async find(workspaceId, id) {
      const [row] = await database.run((sql) =>
        sql
          .select()
          .from(artifacts)
          .where(and(eq(artifacts.workspaceId, workspaceId), eq(artifacts.id, id))),
      );
      return row;
    },

    async read(id, { offset, length } = { offset: 0, length: Number.MAX_SAFE_INTEGER }) {
      if (length <= 0) return new Uint8Array();
      const first = Math.floor(offset / chunkBytes);
      const last = Math.min(Math.floor((offset + length - 1) / chunkBytes), maxInteger);
      const rows = await database.run((sql) =>
        sql
          .select({ content: artifactChunks.content })
          .from(artifactChunks)
          .where(and(eq(artifactChunks.artifactId, id), between(artifactChunks.number, first, last)))
          .orderBy(asc(artifactChunks.number)),
      );
      const start = offset - first * chunkBytes;
      return new Uint8Array(
        Buffer.concat(rows.map(({ content }) => content)).subarray(start, start + length),
      );
    },

    async bytesOf(executionId) {
      const [row] = await database.run((sql) =>
        sql
          .select({ bytes: raw`coalesce(sum(${artifacts.bytes}), 0)`.mapWith(Number) })
          .from(artifacts)
          .where(eq(artifacts.executionId, executionId)),
      );
      return row?.bytes ?? 0;
    },
  };
}

const maxInteger = 2 ** 31 - 1;

function chunksOf(artifactId: string, content: Uint8Array) {
  return Array.from({ length: Math.ceil(content.byteLength / chunkBytes) }, (_, number) => ({
    artifactId,
    number,
    content: content.subarray(number * chunkBytes, (number + 1) * chunkBytes),
  }));
}
