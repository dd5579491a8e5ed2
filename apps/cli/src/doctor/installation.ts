import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { type Folders, localTokenPath, readLocalToken, shellQuote } from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import { findPortOwner, probeDatabase, trySandbox } from '@executor/server';
import { sandboxFolder } from '../assets.ts';
import { createClient } from '../server/client.ts';
import { type Check, failed, type Installation, ok, warning } from './check.ts';

export function checkFolders({ folders }: { folders: Folders }): Check[] {
  const wanted = { data: folders.data, config: folders.config, logs: folders.logs, run: folders.run };
  return Object.entries(wanted).map(([name, path]) => checkFolder(`${name} folder`, path));
}

function checkFolder(name: string, path: string): Check {
  try {
    const stats = statSync(path);
    if (!stats.isDirectory())
      return failed(
        name,
        `${path} is not a folder`,
        `Move it away: mv ${shellQuote(path)} ${shellQuote(`${path}.old`)}`,
      );
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
      return warning(name, `${path} can be read by other users`, `chmod 700 ${shellQuote(path)}`);
    }
    return ok(name, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return checkParent(name, path);
    const code = (error as NodeJS.ErrnoException).code;
    return failed(
      name,
      `${path} cannot be used (${code})`,
      'Run the command as the user that owns the folder, or set EXECUTOR_HOME to a folder of your own.',
    );
  }
}

function checkParent(name: string, path: string): Check {
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    try {
      accessSync(parent, constants.W_OK);
      return ok(name, `${path} (created when needed)`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && parent !== dirname(parent)) continue;
      return failed(
        name,
        `${path} cannot be created: ${parent} is not writable`,
        'Set EXECUTOR_HOME to a folder of your own.',
      );
    }
  }
}

export async function checkToken({ folders, daemon }: Installation): Promise<Check> {
  const path = localTokenPath(folders);
  if (!existsSync(path)) {
    return daemon === undefined
      ? ok('local token', 'none yet; the first start creates it')
      : failed('local token', `${path} is missing`, `\`executor restart\` creates a new one.`);
  }
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
    return failed(
      'local token',
      `${path} can be read by other users, who could act as you`,
      `Replace it: rm ${shellQuote(path)} && executor restart`,
    );
  }
  if (daemon?.health === undefined) return ok('local token', path);
  const client = createClient({ url: daemon.record.url, token: readLocalToken(folders), timeoutMs: 5_000 });
  const refused = await client.me.get().then(
    () => false,
    (error) => error instanceof ExecutorError && error.code === 'unauthenticated',
  );
  return refused
    ? failed(
        'local token',
        `${path} is not the token of the running daemon`,
        `\`executor restart\` makes the daemon read it.`,
      )
    : ok('local token', path);
}

export function checkDaemon({ daemon }: Installation): Check {
  if (daemon === undefined) return ok('daemon', `not running; \`executor up\` starts it`);
  const { pid, url } = daemon.record;
  if (daemon.health === undefined) {
    return failed(
      'daemon',
      `process ${pid} does not answer at ${url}`,
      `See \`executor logs\`, then \`executor down --force\` and \`executor up\`.`,
    );
  }
  return ok('daemon', `process ${pid} at ${url}`);
}

export async function checkPort({ config, daemon }: Installation): Promise<Check> {
  const { host, port } = config;
  if (daemon) return ok('port', `the daemon listens at ${daemon.record.url}`);
  if (port === 0) return ok('port', 'any free port is used');
  const problem = await tryToListen(host, port);
  if (problem === undefined) return ok('port', `${port} is free`);
  if (problem !== 'EADDRINUSE')
    return failed(
      'port',
      `${host}:${port} cannot be used to listen (${problem})`,
      `Choose another: executor config set port 8788`,
    );
  const owner = await findPortOwner(port);
  const message = `${port} is in use by ${owner ? `process ${owner.pid} (${owner.command})` : 'another program'}`;
  return failed(
    'port',
    message,
    `Stop that program, or use another port: executor config set port ${port + 1}`,
  );
}

/** Tries to listen, because a program of another user may hold the port and be invisible to this user. */
function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  });
}

export async function checkDatabase({
  config,
  folders,
  daemon,
}: Installation): Promise<{ check: Check; clockSkewMs?: number }> {
  if (daemon?.health?.database === 'unavailable') {
    return {
      check: failed(
        'database',
        'the daemon cannot reach its database',
        `\`executor logs\` says why. The daemon keeps trying.`,
      ),
    };
  }
  const probe = await probeDatabase(config.databaseUrl, folders.data);
  switch (probe.state) {
    case 'ok':
      return {
        check: ok('database', probe.message),
        ...(probe.clockSkewMs !== undefined && { clockSkewMs: probe.clockSkewMs }),
      };
    case 'absent':
      return { check: ok('database', probe.message) };
    case 'broken':
      return {
        check: failed(
          'database',
          probe.message,
          config.databaseUrl === undefined
            ? 'Restore a backup, or move the folder away to start with an empty database.'
            : 'Start Postgres, or correct EXECUTOR_DATABASE_URL (`executor config set databaseUrl URL`).',
        ),
      };
  }
}

/** Code always runs inside WebAssembly. If bubblewrap works, its processes also have namespaces of their own. */
export async function checkSandbox(): Promise<Check> {
  const { works, confinement, detail } = await trySandbox(sandboxFolder);
  if (!works)
    return failed(
      'sandbox',
      `the sandbox cannot run code: ${detail}`,
      'Install Executor again. If the problem remains, report it with this line.',
    );
  if (confinement === 'bubblewrap') return ok('sandbox', detail);
  const fix =
    process.platform === 'linux'
      ? 'For a second layer of isolation, install bubblewrap (Debian: apt install bubblewrap) and allow it to create namespaces. A container or kernel.apparmor_restrict_unprivileged_userns may forbid that.'
      : undefined;
  return fix ? warning('sandbox', detail, fix) : ok('sandbox', detail);
}
