import { chmodSync, chownSync, lchownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../test/temporary-folders.ts';
import { resolveFolders } from './folders.ts';
import { faultOf, requireOwnFolders } from './own-folders.ts';

const foldersIn = (home: string) => resolveFolders({ EXECUTOR_HOME: home });
const folder = (mode = 0o700, uid = 1000) => ({ uid, mode: 0o040000 | mode });

describe('A part of the path to an installation', () => {
  test.each([
    ['my folder', folder(), 'folder', undefined],
    ['my folder that a group may write to', folder(0o770), 'folder', undefined],
    ['a folder of root', folder(0o755, 0), 'folder', undefined],
    ['a folder of another user', folder(0o700, 1001), 'folder', { type: 'owner', uid: 1001 }],
    ['a folder that everybody may write to', folder(0o777), 'folder', { type: 'writable' }],
    ['a sticky folder that everybody may write to', folder(0o1777), 'folder', { type: 'writable' }],
    ['a sticky parent that everybody may write to', folder(0o1777, 0), 'parent', undefined],
    ['a parent that everybody may write to', folder(0o777, 0), 'parent', { type: 'writable' }],
    ['a parent of another user', folder(0o755, 1001), 'parent', { type: 'owner', uid: 1001 }],
    ['a parent outside of a container', folder(0o755, 65_534), 'parent', undefined],
    ['my link', { uid: 1000, mode: 0o120777 }, 'link', undefined],
    ["another user's link", { uid: 1001, mode: 0o120777 }, 'link', { type: 'owner', uid: 1001 }],
  ] as const)('%s', (_name, stats, role, fault) => {
    expect(faultOf(stats, role, 1000)).toEqual(fault);
  });

  test('may belong to root only, if root runs the command', () => {
    expect(faultOf(folder(0o700, 1000), 'folder', 0)).toEqual({ type: 'owner', uid: 1000 });
    expect(faultOf(folder(0o755, 1000), 'parent', 0)).toEqual({ type: 'owner', uid: 1000 });
    expect(faultOf(folder(0o700, 0), 'folder', 0)).toBeUndefined();
  });
});

test('A home that does not exist yet is accepted in a folder of mine or a sticky one', () => {
  expect(() => requireOwnFolders(foldersIn(join(temporaryFolder(), 'new', 'home')))).not.toThrow();
});

test('My own home is closed to the writes of others', () => {
  const home = temporaryFolder();
  chmodSync(home, 0o777);
  requireOwnFolders(foldersIn(home));
  expect(statSync(home).mode & 0o777).toBe(0o755);
});

test('A home in a folder that everybody may write to is refused', () => {
  const parent = join(temporaryFolder(), 'shared');
  mkdirSync(parent);
  chmodSync(parent, 0o777);
  expect(() => requireOwnFolders(foldersIn(join(parent, 'home')))).toThrow(
    `Cannot use ${parent}/home, because of ${parent}: every user of this machine may write to it. Run \`chmod o-w ${parent}\`, or set EXECUTOR_HOME to a folder of your own.`,
  );
});

describe.runIf(process.getuid?.() === 0)('With folders of another user', () => {
  test.each(['', 'data', 'logs', 'run'])('a home whose folder "%s" another user owns is refused', (name) => {
    const home = temporaryFolder();
    const theirs = join(home, name);
    mkdirSync(theirs, { recursive: true });
    chownSync(theirs, 1001, 1001);
    expect(() => requireOwnFolders(foldersIn(home))).toThrow(
      /it belongs to the user with id 1001, and this command runs as root\. Run the command as the owner, set EXECUTOR_HOME/,
    );
  });

  test('a link that another user made is refused, and so is a parent that another user owns', () => {
    const folder = temporaryFolder();
    const mine = join(folder, 'mine');
    mkdirSync(mine);
    const link = join(folder, 'link');
    symlinkSync(mine, link);
    expect(() => requireOwnFolders(foldersIn(link))).not.toThrow();
    lchownSync(link, 1001, 1001);
    expect(() => requireOwnFolders(foldersIn(link))).toThrow(/belongs to the user with id 1001/);
    chownSync(folder, 1001, 1001);
    expect(() => requireOwnFolders(foldersIn(mine))).toThrow(`because of ${folder}: it belongs to`);
  });
});

test('A link that leads to itself is refused', () => {
  const home = join(temporaryFolder(), 'home');
  symlinkSync(home, home);
  expect(() => requireOwnFolders(foldersIn(home))).toThrow(/it is a link/);
});

test('A path through a file is left to the one who uses it', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(() => requireOwnFolders(foldersIn(file))).not.toThrow();
});
