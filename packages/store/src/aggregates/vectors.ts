import type { VectorStore } from '@executor/engine';
import type { Database } from '../database.ts';
import type { Statement } from '../statement.ts';

export function vectorStore(database: Database): VectorStore {
  return {
    async find(model, hashes) {
      if (hashes.length === 0) return new Map();
      const rows = await database.query<{ hash: string; vector: Buffer }>(findStatement, [model, hashes]);
      // Copied, because a small buffer of the driver would keep a large one in memory.
      return new Map(rows.map(({ hash, vector }) => [hash, Int8Array.from(vector)]));
    },

    async save(model, vectors) {
      if (vectors.size === 0) return;
      const bytes = [...vectors.values()].map(({ buffer, byteOffset, length }) =>
        Buffer.from(buffer, byteOffset, length),
      );
      await database.query(saveStatement, [model, [...vectors.keys()], bytes]);
    },

    async removeUnused({ days, most, limit }) {
      return (await database.query(removeStatement, [days, limit, most])).length;
    },
  };
}

/** A use is written once a day. Two processes that use the same vectors do not wait for each other. */
const findStatement: Statement = {
  name: 'vectors-find',
  text: `
    with used as (
      update text_vectors set used_at = clock_timestamp()
      where (model, hash) in (
        select model, hash from text_vectors
        where model = $1 and hash = any($2::text[]) and used_at < clock_timestamp() - interval '1 day'
        for update skip locked
      )
    )
    select hash, vector from text_vectors where model = $1 and hash = any($2::text[])`,
};

/** Rows are written in one order, so that two processes with the same texts do not wait for each other. */
const saveStatement: Statement = {
  name: 'vectors-save',
  text: `
    insert into text_vectors (model, hash, vector, used_at)
    select $1, hash, vector, clock_timestamp()
    from unnest($2::text[], $3::bytea[]) as computed(hash, vector) order by hash
    on conflict do nothing`,
};

const removeStatement: Statement = {
  name: 'vectors-remove',
  text: `
    delete from text_vectors where (model, hash) in (
      select model, hash from text_vectors
      where used_at < clock_timestamp() - $1::float8 * interval '1 day'
        or used_at <= (select used_at from text_vectors order by used_at desc offset $3 limit 1)
      order by used_at limit $2 for update skip locked
    )
    returning 1`,
};
