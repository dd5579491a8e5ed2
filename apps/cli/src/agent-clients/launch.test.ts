import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { launchNotes, launchOf, stableNodePath } from './launch.ts';

const folder = mkdtempSync(join(tmpdir(), 'executor-launch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('The command has full paths, and its environment names the installation', () => {
  const { command, args, env } = launchOf({ PATH: '', EXECUTOR_HOME: 'here', EXECUTOR_PORT: '9000' });
  expect(isAbsolute(command) && isAbsolute(args[0] as string)).toBe(true);
  expect(args[1]).toBe('mcp');
  expect(env).toEqual({ EXECUTOR_HOME: join(process.cwd(), 'here'), EXECUTOR_PORT: '9000' });
});

test('The entry contains the variables that move folders, because clients do not pass them', () => {
  expect(launchOf({ XDG_DATA_HOME: '/data', XDG_STATE_HOME: '/state' }).env).toEqual({
    XDG_DATA_HOME: '/data',
    XDG_STATE_HOME: '/state',
  });
  expect(launchOf({}).env).toEqual({});
});

test('No secret of the environment is written to the file of a client', () => {
  const secrets = {
    EXECUTOR_TOKEN: 'person-key',
    EXECUTOR_PIN: '1234',
    EXECUTOR_MASTER_KEY: 'master',
    EXECUTOR_DATABASE_URL: 'postgres://me:password@host/db',
  };
  expect(launchOf(secrets).env).toEqual({});
  expect(launchNotes(secrets, '/opt/executor/main.js')).toEqual([
    expect.stringContaining('EXECUTOR_DATABASE_URL'),
  ]);
});

test('A note warns if Executor runs from the cache of npx', () => {
  expect(launchNotes({}, '/home/me/.npm/_npx/1234/node_modules/executor/dist/main.js')).toHaveLength(1);
  expect(launchNotes({}, '/usr/lib/node_modules/executor/dist/main.js')).toEqual([]);
});

test('Node is named by a link that survives updates, and not by one of a shell', () => {
  const link = (...parts: string[]) => {
    mkdirSync(join(folder, ...parts), { recursive: true });
    symlinkSync(process.execPath, join(folder, ...parts, 'node'));
    return join(folder, ...parts);
  };
  const temporary = link('fnm_multishells', '1_2', 'bin');
  const stable = link('bin');
  const PATH = ['relative', folder, temporary, stable].join(':');
  expect(stableNodePath({ PATH })).toBe(join(stable, 'node'));
  expect(stableNodePath({ PATH: temporary })).toBe(process.execPath);
  expect(stableNodePath({})).toBe(process.execPath);
  expect(realpathSync(stableNodePath({ PATH }))).toBe(realpathSync(process.execPath));
});
