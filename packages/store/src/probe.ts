import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutPassword } from '@executor/home';
import { Client } from 'pg';

export type DatabaseProbe =
  | { state: 'ok'; message: string /** How far the database's clock is from ours. */; clockSkewMs?: number }
  | { state: 'absent' | 'broken'; message: string };

/** Checks the database without opening it for use. It creates, migrates and locks nothing. */
export async function probeDatabase(databaseUrl: string | undefined, folder: string): Promise<DatabaseProbe> {
  return databaseUrl === undefined ? probeEmbedded(join(folder, 'pgdata')) : probePostgres(databaseUrl);
}

function probeEmbedded(folder: string): DatabaseProbe {
  if (!existsSync(folder))
    return { state: 'absent', message: `none yet; the first start creates it in ${folder}` };
  try {
    const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
    accessSync(join(folder, 'global', 'pg_control'), constants.R_OK | constants.W_OK);
    return { state: 'ok', message: `embedded Postgres ${version} in ${folder}` };
  } catch (error) {
    return {
      state: 'broken',
      message: `the database in ${folder} is damaged or not readable (${(error as Error).message})`,
    };
  }
}

async function probePostgres(url: string): Promise<DatabaseProbe> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  // The query reports a broken connection; without a listener it would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query('select clock_timestamp() as now');
    const clockSkewMs = Math.abs(Date.now() - rows[0].now.getTime());
    return { state: 'ok', message: `Postgres at ${withoutPassword(url)}`, clockSkewMs };
  } catch (error) {
    return {
      state: 'broken',
      message: `Postgres at ${withoutPassword(url)} does not answer (${(error as Error).message})`,
    };
  } finally {
    await client.end().catch(() => {});
  }
}
