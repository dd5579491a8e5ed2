import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { build } from 'esbuild';
import { create } from 'tar';
import manifest from './package.json' with { type: 'json' };
import type { StoreAssets } from './src/index.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Builds the store's assets: the worker, the migrations and a snapshot of an empty database. */
export async function buildStoreAssets(folder: string): Promise<StoreAssets> {
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [join(here, 'src/pglite/worker.ts')],
    outfile: join(folder, 'pglite-worker.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['@electric-sql/pglite'],
  });
  const migrations = join(folder, 'migrations');
  await rm(migrations, { recursive: true, force: true });
  await cp(join(here, 'migrations'), migrations, {
    recursive: true,
    filter: (source) => !source.endsWith('meta'),
  });
  await makeSnapshot(join(folder, 'pgdata.tgz'));
  return storeAssets(folder);
}

export function storeAssets(folder: string): StoreAssets {
  const url = pathToFileURL(`${folder}/`);
  return {
    migrations: new URL('migrations/', url),
    pgliteWorker: new URL('pglite-worker.js', url),
    pgliteSnapshot: new URL('pgdata.tgz', url),
  };
}

/** `initdb` takes seconds and depends only on PGlite's version and this file, so its result is cached between builds. */
async function makeSnapshot(file: string): Promise<void> {
  const recipe = createHash('sha256')
    .update(manifest.dependencies['@electric-sql/pglite'])
    .update(await readFile(fileURLToPath(import.meta.url)));
  const cached = fileURLToPath(
    new URL(
      `../../node_modules/.cache/executor/pgdata-${recipe.digest('hex').slice(0, 16)}.tgz`,
      import.meta.url,
    ),
  );
  if (!existsSync(cached)) await initialise(cached);
  await cp(cached, file);
}

/** Small, because a first start writes and syncs all of it: only our database, and a short write-ahead log. */
async function initialise(file: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'executor-snapshot-'));
  try {
    const database = await PGlite.create(join(folder, 'pgdata'), {
      initDbStartParams: ['--wal-segsize=1'],
    });
    await database.exec('update pg_database set datistemplate = false');
    for (const template of ['template0', 'template1']) await database.exec(`drop database ${template}`);
    await database.exec('checkpoint');
    await database.close();
    await removeSpareLog(join(folder, 'pgdata', 'pg_wal'));
    await mkdir(join(file, '..'), { recursive: true });
    const partial = `${file}.${process.pid}.new`;
    await create({ gzip: true, cwd: join(folder, 'pgdata'), file: partial, portable: true }, ['.']);
    await rename(partial, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** WAL segments that Postgres preallocates. The last record is in the first segment or at the start of the second. */
async function removeSpareLog(folder: string): Promise<void> {
  const segments = (await readdir(folder)).filter((name) => /^[\dA-F]{24}$/.test(name)).sort();
  for (const spare of segments.slice(2)) await rm(join(folder, spare));
}
