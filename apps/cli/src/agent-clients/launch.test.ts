import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lastingNode, launchNotes, launchOf } from './launch.ts';

const folder = mkdtempSync(join(tmpdir(), 'executor-launch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the command is named by full paths, and the installation by its folder', () => {
  const { command, args, env } = launchOf({ PATH: '', EXECUTOR_HOME: 'here', EXECUTOR_PORT: '9000' });
  expect(isAbsolute(command) && isAbsolute(args[0] as string)).toBe(true);
  expect(args[1]).toBe('mcp');
  expect(env).toEqual({ EXECUTOR_HOME: join(process.cwd(), 'here'), EXECUTOR_PORT: '9000' });
});

test('folders that the environment moves are told, as clients do not pass them on', () => {
  expect(launchOf({ XDG_DATA_HOME: '/data', XDG_STATE_HOME: '/state' }).env).toEqual({
    XDG_DATA_HOME: '/data',
    XDG_STATE_HOME: '/state',
  });
  expect(launchOf({}).env).toEqual({});
});

test('no secret of the environment is written to a client', () => {
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

test('what npx keeps for a while is told of', () => {
  expect(launchNotes({}, '/home/me/.npm/_npx/1234/node_modules/executor/dist/main.js')).toHaveLength(1);
  expect(launchNotes({}, '/usr/lib/node_modules/executor/dist/main.js')).toEqual([]);
});

test('Node is named by a link that outlives an update, and not by one that ends with a shell', () => {
  const link = (...parts: string[]) => {
    mkdirSync(join(folder, ...parts), { recursive: true });
    symlinkSync(process.execPath, join(folder, ...parts, 'node'));
    return join(folder, ...parts);
  };
  const passing = link('fnm_multishells', '1_2', 'bin');
  const lasting = link('bin');
  const PATH = ['relative', folder, passing, lasting].join(':');
  expect(lastingNode({ PATH })).toBe(join(lasting, 'node'));
  expect(lastingNode({ PATH: passing })).toBe(process.execPath);
  expect(lastingNode({})).toBe(process.execPath);
  expect(realpathSync(lastingNode({ PATH }))).toBe(realpathSync(process.execPath));
});
