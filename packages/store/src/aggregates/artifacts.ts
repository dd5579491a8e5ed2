import type { ArtifactCharge, ArtifactRow, ArtifactStore, PutArtifact } from '@executor/engine';
import { and, asc, between, eq, getTableColumns } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { artifactChunks, artifacts } from '../execution-schema.ts';
import { columnNames, fromRecord, toValues } from '../records.ts';
import type { Query, Statement } from '../statement.ts';
import { fitsWithin, limitValues, noLimit, usedBy } from './usage/limits.ts';

const chunkBytes = 256 * 1024;

export function artifactStore(database: Database): ArtifactStore {
  return {
    async put(artifact, content, maxBytesOfRun, charge) {
      const [first, ...rest] = chunksOf(artifact.id, content);
      const put = (query: Query) =>
        putFirst(query, { artifact, first: first?.content, maxBytesOfRun, charge });
      // One statement is a transaction already.
      if (rest.length === 0) return put((...statement) => database.query(...statement));
      return database.sequence(async (query) => {
        const outcome = await put(query);
        if (outcome.type === 'kept' && outcome.isNew) {
          for (const { number, content } of rest) await query(chunkStatement, [artifact.id, number, content]);
        }
        return outcome;
      });
    },

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
  };
}

interface FirstPart {
  artifact: ArtifactRow;
  first: Uint8Array | undefined;
  maxBytesOfRun: number;
  charge: ArtifactCharge | undefined;
}

type Put = Exclude<PutArtifact, { type: 'kept' }> | (PutArtifact & { type: 'kept' } & { isNew: boolean });

async function putFirst(query: Query, { artifact, first, maxBytesOfRun, charge }: FirstPart): Promise<Put> {
  const limit = limitValues(charge?.limit ?? noLimit);
  const values = [
    maxBytesOfRun,
    first ?? null,
    charge?.ownerId ?? null,
    limit,
    ...toValues(columns, artifact),
  ];
  const [row] = await query<PutRecord>(putStatement, values);
  if (row?.id) return { type: 'kept', artifact: fromRecord<ArtifactRow>(columns, row), isNew: false };
  if (row?.is_new) return { type: 'kept', artifact, isNew: true };
  if (row?.fits === false) return { type: 'overLimit' };
  return { type: 'full', taken: row?.taken ?? 0 };
}

interface PutRecord {
  taken: number;
  is_new: boolean;
  fits: boolean;
  id: string | null;
}

const columns = getTableColumns(artifacts);
const values = Object.keys(columns).map((_, index) => `$${5 + index}`);
const parameterOf = (name: keyof typeof columns) => `$${5 + Object.keys(columns).indexOf(name)}`;

const fits = fitsWithin('bytes', `${parameterOf('bytes')}::bigint`, '$4');

/** Inserts the artifact with its first chunk; most artifacts have only one. */
const putStatement: Statement = {
  name: 'artifact-put',
  text: `
    with taken as (
      select coalesce(sum(bytes), 0)::float8 as bytes from artifacts where execution_id = ${parameterOf('executionId')}
    ), known as (
      select ${columnNames(columns)} from artifacts where id = ${parameterOf('id')}
    ), ${usedBy({ workspaceId: parameterOf('workspaceId'), ownerId: '$3::text' })}, new as (
      insert into artifacts (${columnNames(columns)})
      select ${values.map((value, index) => `${value}::${Object.values(columns)[index]?.getSQLType()}`).join(', ')} from taken, used
      where taken.bytes + ${parameterOf('bytes')}::bigint <= $1 and ${fits} and not exists (select from known)
      on conflict (id) do nothing
      returning id
    ), charged as (
      update stored_usage set bytes = stored_usage.bytes + ${parameterOf('bytes')}::bigint from new
      where stored_usage.workspace_id = ${parameterOf('workspaceId')} and stored_usage.owner_id = $3::text
    ), first as (
      insert into artifact_chunks (artifact_id, number, content)
      select id, 0, $2::bytea from new where $2::bytea is not null
    )
    select taken.bytes as taken, exists (select from new) as is_new, ${fits} as fits, known.*
    from taken cross join used left join known on true`,
};

const chunkStatement: Statement = {
  name: 'artifact-chunk',
  text: 'insert into artifact_chunks (artifact_id, number, content) values ($1, $2, $3)',
};

const maxInteger = 2 ** 31 - 1;

function chunksOf(artifactId: string, content: Uint8Array) {
  return Array.from({ length: Math.ceil(content.byteLength / chunkBytes) }, (_, number) => ({
    artifactId,
    number,
    content: content.subarray(number * chunkBytes, (number + 1) * chunkBytes),
  }));
}
