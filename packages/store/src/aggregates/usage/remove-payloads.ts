import type { UsageOwner } from '@executor/engine';
import type { Database } from '../../database.ts';
import { reclaimSpace } from '../../pglite/housekeeping.ts';
import type { Query, Statement } from '../../statement.ts';

interface Removing {
  owner: UsageOwner;
  toBytes: number;
  hint: string;
}

/**
 * Deletes the payloads of finished runs of one owner, oldest first. The runs, calls, questions and the audit are kept. Each run is one
 * transaction, which holds the owner's row, so that processes that need room at the same time delete no more than necessary.
 */
export async function removePayloads(database: Database, removing: Removing): Promise<number> {
  let runs = 0;
  while (await database.sequence((query) => removeOldest(query, removing))) runs += 1;
  if (runs > 0 && database.kind === 'pglite') await reclaimSpace(database);
  return runs;
}

async function removeOldest(
  query: Query,
  { owner: { workspaceId, ownerId }, toBytes, hint }: Removing,
): Promise<boolean> {
  const [usage] = await query<{ bytes: number }>(usageStatement, [workspaceId, ownerId]);
  if (usage === undefined || usage.bytes <= toBytes) return false;
  const [run] = await query<{ id: string }>(oldestStatement, [workspaceId, ownerId]);
  if (run === undefined) return false;
  const [artifacts] = await query<{ bytes: number }>(artifactsStatement, [run.id]);
  const [events] = await query<{ bytes: number }>(eventsStatement, [run.id, hint]);
  const freed = { artifacts: artifacts?.bytes ?? 0, events: events?.bytes ?? 0 };
  const values = [run.id, freed.events, freed.artifacts, hint, minBytes];
  await query(runStatement, values);
  return true;
}

/** Smaller inputs, outputs and results are kept. */
const minBytes = 2 * 1024;

const usageStatement: Statement = {
  name: 'payloads-usage',
  text: 'select bytes::float8 as bytes from stored_usage where workspace_id = $1 and owner_id = $2 for update',
};

const oldestStatement: Statement = {
  name: 'payloads-oldest',
  text: `
    select id from executions
    where workspace_id = $1 and owner_id = $2 and has_payload and finished_at is not null
    order by finished_at limit 1 for update skip locked`,
};

const artifactsStatement: Statement = {
  name: 'payloads-artifacts',
  text: `
    with removed as (
      delete from artifact_chunks using artifacts
      where artifacts.execution_id = $1 and artifact_chunks.artifact_id = artifacts.id
      returning octet_length(content) as bytes
    )
    select coalesce(sum(bytes), 0)::float8 as bytes from removed`,
};

const number = '[-+.0-9eE]+';
const text = '"(?:[^"\\\\]|\\\\.)*"';
/** A part of the event's JSON that precedes its large value. JSON functions of the database refuse some of the escapes in it. */
const part = (pattern: string, otherwise: string) =>
  `coalesce(substring(left(data, 4000) from '${pattern}'), '${otherwise}')`;
const marker = `json_build_object('bytes', octet_length(data), 'hint', $2::text)::text`;
const start = (type: string) => `'{"type":"${type}","index":' || call_index`;

const requested = `${start('call.requested')}
  || ',"path":' || ${part(`"path":(${text})`, '""')} || ',"input":"null","inputHash":'
  || coalesce(substring(right(data, 200) from '"inputHash":(${text})\\}$'), '""') || ',"removed":' || ${marker} || '}'`;

/** A failed call keeps its name, because that says whether it was denied. */
const result = `case when ${part('"result":\\{"type":"([a-z]+)"', 'value')} = 'error'
  then '{"type":"error","name":' || ${part(`"name":(${text})`, '"ToolError"')} || ',"message":' || to_json($2::text)::text || '}'
  else '{"type":"value","json":"null"}' end`;

const completed = `${start('call.completed')}
  || ',"deliveredAt":' || ${part(`"deliveredAt":(${number})`, '0')} || ',"result":' || ${result} || ',"removed":' || ${marker} || '}'`;

/** Replaces large inputs and outputs in the journal. The order of fields is that of `JournalEvent`. */
const eventsStatement: Statement = {
  name: 'payloads-events',
  text: `
    with large as (
      select seq, octet_length(data) as bytes, case type when 'call.requested' then ${requested} else ${completed} end as marked
      from events
      where execution_id = $1 and type in ('call.requested', 'call.completed') and octet_length(data) > ${minBytes}
    ), changed as (
      update events set data = large.marked from large
      where events.execution_id = $1 and events.seq = large.seq
      returning large.bytes - octet_length(events.data) as bytes
    )
    select coalesce(sum(bytes), 0)::float8 as bytes from changed`,
};

const wholeResult = `coalesce((usage::json ->> 'resultBytes')::float8, octet_length(result))`;
const resultMarker = `json_build_object('result', json_build_object('bytes', ${wholeResult}, 'shownBytes', 0, 'hint', $4::text))::text`;
const isLarge = `(octet_length(result) > $5::integer or omitted is not null)`;
const removedMarker = `json_build_object('at', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'bytes', freed.events + freed.artifacts, 'hint', $4::text)::text`;

const runStatement: Statement = {
  name: 'payloads-run',
  text: `
    with freed as materialized (
      select $2::float8 + case when ${isLarge} then coalesce(octet_length(result), 0) else 0 end as events, $3::float8 as artifacts
      from executions where id = $1
    ), marked as (
      update executions set has_payload = false, removed = ${removedMarker},
        result = case when ${isLarge} then null else result end, omitted = case when ${isLarge} then ${resultMarker} else omitted end,
        stored_bytes = greatest(0, stored_bytes - freed.events::bigint), charged_bytes = greatest(0, charged_bytes - freed.events::bigint)
      from freed where id = $1
      returning workspace_id, owner_id, freed.events + freed.artifacts as bytes
    )
    update stored_usage set bytes = greatest(0, stored_usage.bytes - marked.bytes::bigint) from marked
    where stored_usage.workspace_id = marked.workspace_id and stored_usage.owner_id = marked.owner_id`,
};
