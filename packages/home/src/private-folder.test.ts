import { expect, test } from 'vitest';
import { unreadable } from './private-folder.ts';

test('a file of another user is not this user’s to change: the owner runs the command, or another home is used', () => {
  expect(unreadable('/srv/executor/run/daemon.lock', { code: 'EACCES' })).toMatchObject({
    code: 'folderUnusable',
    message:
      'Cannot read /srv/executor/run/daemon.lock: this user has no permission. Run the command as the user that owns the folder, or set EXECUTOR_HOME to a folder of your own.',
  });
});

test('any other reason has its own remedy', () => {
  expect(unreadable('/srv/executor', { code: 'EIO' }).message).toBe(
    'Cannot use /srv/executor: the disk reports errors. Check the disk, or set EXECUTOR_HOME to another folder.',
  );
});
