import { expect, test } from 'vitest';
import { unreadable } from './private-folder.ts';

test('An unreadable file of another user suggests its owner or another home', () => {
  expect(unreadable('/srv/executor/run/daemon.lock', { code: 'EACCES' })).toMatchObject({
    code: 'folderUnusable',
    message:
      'Cannot read /srv/executor/run/daemon.lock: this user has no permission. Run the command as the user that owns the folder, or set EXECUTOR_HOME to a folder of your own.',
  });
});

test('Other errors have their own remedy', () => {
  expect(unreadable('/srv/executor', { code: 'EIO' }).message).toBe(
    'Cannot use /srv/executor: the disk reports errors. Check the disk, or set EXECUTOR_HOME to another folder.',
  );
});
