import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { build } from 'esbuild';
import { create } from 'tar';
import manifest from './package.json' with { type: 'json' };
import type { StoreAssets } from './src/index.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Makes the files that the store needs beside the program: the worker, the migrations and a snapshot of an empty database. */
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

/** `initdb` takes seconds, and its result depends on the version of PGlite alone: it is kept between builds. */
async function makeSnapshot(file: string): Promise<void> {
  const version = manifest.dependencies['@electric-sql/pglite'];
  const cached = fileURLToPath(
    new URL(`../../node_modules/.cache/executor/pgdata-${version}.tgz`, import.meta.url),
  );
  if (!existsSync(cached)) await initialise(cached);
  await cp(cached, file);
}

async function initialise(file: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'executor-snapshot-'));
  try {
    const database = await PGlite.create(join(folder, 'pgdata'));
    await database.exec('checkpoint');
    await database.close();
    await mkdir(join(file, '..'), { recursive: true });
    const partial = `${file}.${process.pid}.new`;
    await create({ gzip: true, cwd: join(folder, 'pgdata'), file: partial, portable: true }, ['.']);
    await rename(partial, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
