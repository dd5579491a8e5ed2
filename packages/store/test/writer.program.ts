import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { createDiscovery } from '@executor/discovery';
import { createEngine } from '@executor/engine';
import { openStore } from '../src/open-store.ts';

/**
 * `writer FOLDER ASSETS`: creates API keys in the database in FOLDER until it is killed. It prints each key after the store acknowledged
 * it, before the next one.
 */
const [folder = '', assets = ''] = process.argv.slice(2);
const asset = (name: string) => new URL(name, pathToFileURL(`${assets}/`));

const store = await openStore({
  folder,
  assets: {
    migrations: asset('migrations/'),
    pgliteWorker: asset('pglite-worker.js'),
    pgliteSnapshot: asset('pgdata.tgz'),
  },
  onProblem: (message) => console.error(message),
});
const engine = await createEngine({
  discovery: createDiscovery(),
  store,
  localToken: 'unused',
  accountName: 'Writer',
  version: '0.0.0',
  sandboxes: [],
  baseUrl: () => 'http://executor.test',
});
const principal = { kind: 'person', credential: 'localToken', ...engine.installation.owner } as const;

for (let number = 0; ; number++) {
  const { id } = await engine.apiKeys.create(principal, { name: `Key ${number}`, kind: 'agent' });
  writeSync(1, `${id}\n`);
}
