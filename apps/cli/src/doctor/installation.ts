import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Folders, localTokenPath } from '@executor/home';
import { findPortOwner, probeDatabase } from '@executor/server';
import { self } from '../output.ts';
import { type Check, failed, ok, type Patient, warning } from './check.ts';

export function checkFolders({ folders }: { folders: Folders }): Check[] {
  const wanted = { data: folders.data, config: folders.config, logs: folders.logs, run: folders.run };
  return Object.entries(wanted).map(([name, path]) => checkFolder(`${name} folder`, path));
}

function checkFolder(name: string, path: string): Check {
  try {
    const stats = statSync(path);
    if (!stats.isDirectory())
      return failed(name, `${path} is not a folder`, `Move it away: mv '${path}' '${path}.old'`);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
      return warning(name, `${path} can be read by other users`, `chmod 700 '${path}'`);
    }
    return ok(name, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return checkParent(name, path);
    const code = (error as NodeJS.ErrnoException).code;
    return failed(
      name,
      `${path} cannot be used (${code})`,
      `Make it yours: sudo chown -R "$USER" '${path}', or set EXECUTOR_HOME.`,
    );
  }
}

function checkParent(name: string, path: string): Check {
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    try {
      accessSync(parent, constants.W_OK);
      return ok(name, `${path} (made when needed)`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && parent !== dirname(parent)) continue;
      return failed(
        name,
        `${path} cannot be made: ${parent} is not writable`,
        'Set EXECUTOR_HOME to a folder of yours.',
      );
    }
  }
}

export function checkToken({ folders }: Patient): Check {
  const path = localTokenPath(folders);
  try {
    const { mode } = statSync(path);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      return failed(
        'local token',
        `${path} can be read by other users, who could act as you`,
        `chmod 600 '${path}', then delete it and run \`${self} restart\` for a new one.`,
      );
    }
    return ok('local token', path);
  } catch {
    return ok('local token', 'none yet; the first start makes it');
  }
}

export function checkDaemon({ daemon }: Patient): Check {
  if (daemon === undefined) return ok('daemon', `not running; \`${self} up\` starts it`);
  const { pid, url } = daemon.record;
  if (daemon.health === undefined) {
    return failed(
      'daemon',
      `process ${pid} does not answer at ${url}`,
      `Look at \`${self} logs\`, then \`${self} down --force\` and \`${self} up\`.`,
    );
  }
  return ok('daemon', `process ${pid} at ${url}`);
}

export async function checkPort({ config, daemon }: Patient): Promise<Check> {
  if (daemon) return ok('port', `the daemon listens at ${daemon.record.url}`);
  const owner = await findPortOwner(config.port);
  if (owner === undefined) return ok('port', `${config.port} is free`);
  const message = `${config.port} is taken by process ${owner.pid} (${owner.command})`;
  return failed(
    'port',
    message,
    `Stop that program, or use another port: ${self} config set port ${config.port + 1}`,
  );
}

export async function checkDatabase({
  config,
  folders,
  daemon,
}: Patient): Promise<{ check: Check; clockSkewMs?: number }> {
  if (daemon?.health?.database === 'unavailable') {
    return {
      check: failed(
        'database',
        'the daemon cannot reach its database',
        `\`${self} logs\` says why; the daemon goes on trying.`,
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
            ? 'Put a backup in its place, or move the folder away to begin with an empty database.'
            : 'Start Postgres, or correct EXECUTOR_DATABASE_URL (`executor config set databaseUrl URL`).',
        ),
      };
  }
}
