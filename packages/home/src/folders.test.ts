import { expect, test } from 'vitest';
import { resolveFolders } from './folders.ts';

test('EXECUTOR_HOME puts everything under one folder, on every system', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    expect(
      resolveFolders({ EXECUTOR_HOME: '/srv/ex', XDG_DATA_HOME: '/x' }, { platform, homedir: '/home/a' }),
    ).toEqual({
      home: '/srv/ex',
      data: '/srv/ex/data',
      config: '/srv/ex',
      logs: '/srv/ex/logs',
      run: '/srv/ex/run',
    });
  }
});

test('Linux keeps data, configuration and state apart', () => {
  expect(resolveFolders({}, { platform: 'linux', homedir: '/home/a' })).toEqual({
    home: '/home/a/.local/share/executor',
    data: '/home/a/.local/share/executor',
    config: '/home/a/.config/executor',
    logs: '/home/a/.local/state/executor/logs',
    run: '/home/a/.local/state/executor/run',
  });
});

test('Linux follows the XDG variables', () => {
  const env = { XDG_DATA_HOME: '/d', XDG_STATE_HOME: '/s', XDG_CONFIG_HOME: '/c' };
  expect(resolveFolders(env, { platform: 'linux', homedir: '/home/a' })).toEqual({
    home: '/d/executor',
    data: '/d/executor',
    config: '/c/executor',
    logs: '/s/executor/logs',
    run: '/s/executor/run',
  });
});

test('macOS keeps everything in Application Support', () => {
  expect(resolveFolders({}, { platform: 'darwin', homedir: '/Users/a' }).home).toBe(
    '/Users/a/Library/Application Support/Executor',
  );
});

test('Windows keeps everything in the local application data', () => {
  expect(resolveFolders({ LOCALAPPDATA: '/local' }, { platform: 'win32', homedir: '/a' }).home).toBe(
    '/local/Executor',
  );
  expect(resolveFolders({}, { platform: 'win32', homedir: '/a' }).home).toBe('/a/AppData/Local/Executor');
});
