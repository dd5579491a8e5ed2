import { expect, onTestFinished, test } from 'vitest';
import { query } from '../../test/query.ts';
import { openTestPostgres } from '../../test/test-database.ts';
import { WakeQueue } from './wake-queue.ts';

/** Refuses to create a schema a number of times, like Postgres when another process creates it at the same moment. */
const refusals = (times: number) => `
  create sequence refused;
  create function refuse() returns event_trigger language plpgsql as $$
  begin
    if nextval('refused') <= ${times} then
      raise unique_violation using message = 'duplicate key value violates unique constraint "pg_namespace_nspname_index"';
    end if;
  end $$;
  create event trigger refuses on ddl_command_start when tag in ('CREATE SCHEMA') execute function refuse();`;

test.each([
  ['is there for who sets it up beside another process', 2, 'insert'],
  ['is not tried for ever', 100, 'duplicate key'],
])('the queue %s', async (_title, times, expected) => {
  const opened = await openTestPostgres();
  onTestFinished(() => opened.close());
  await query(opened.database, refusals(times));
  const queue = new WakeQueue(opened.database);
  onTestFinished(() => queue.close());
  expect((await queue.insertion().catch(({ message }) => message)).toLowerCase()).toContain(expected);
});
