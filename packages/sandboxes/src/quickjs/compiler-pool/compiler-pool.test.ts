import { afterEach, expect, test, vi } from 'vitest';
import { copyBuiltFolder } from '../../../test/lane-folder.ts';
import { processesNaming } from '../../../test/processes.ts';
import { outcomeOf } from '../../sandbox.suite.ts';
import type { QuickJsSandboxOptions } from '../options.ts';
import { createQuickJsSandbox, type QuickJsSandbox } from '../sandbox.ts';

const folder = copyBuiltFolder();
let sandbox: QuickJsSandbox;
async function create(options: Partial<QuickJsSandboxOptions> = {}): Promise<QuickJsSandbox> {
  sandbox = await createQuickJsSandbox({ folder, ...options });
  return sandbox;
}
afterEach(() => sandbox.close());

/** Takes the parser so long that no test passes by chance. */
const slow = `return [${'[1,2,3],'.repeat(100_000)}]`;

test('source beyond the limit is refused, and the limit can be raised', async () => {
  const code = `return "${'x'.repeat(2 * 1024 * 1024)}".length`;
  await create();
  expect(await sandbox.compile(code)).toEqual({
    type: 'rejected',
    error: {
      name: 'LimitError',
      message: 'The code has 2097168 bytes; 1048576 are allowed.',
      reason: 'limit',
    },
  });
  sandbox.close();
  await create({ sourceBytes: 4 * 1024 * 1024 });
  expect(await sandbox.compile(code)).toMatchObject({ type: 'compiled' });
});

test('a run has its own limit of source', async () => {
  await create();
  expect(await outcomeOf(sandbox, 'return 12345', { limits: { sourceBytes: 10 } })).toMatchObject({
    type: 'threw',
    error: { name: 'LimitError', message: 'The code has 12 bytes; 10 are allowed.', reason: 'limit' },
  });
  expect(await outcomeOf(sandbox, 'return 12345', { limits: { sourceBytes: 12 } })).toMatchObject({
    type: 'returned',
  });
});

test('a compilation survives an external kill of its process', async () => {
  await create();
  await sandbox.compile('return 1');
  const compilation = sandbox.compile(`return [${'[1,2,3],'.repeat(20_000)}]`);
  await vi.waitFor(() => expect(compilers()).not.toEqual([]), 20_000);
  for (const pid of compilers()) process.kill(pid, 'SIGKILL');
  expect(await compilation).toMatchObject({ type: 'compiled' });
});

test('closing the sandbox rejects waiting and later compilations and ends all processes', async () => {
  await create();
  const waiting = [sandbox.compile(slow), sandbox.compile('return 2')].map((one) =>
    one.catch(({ code }) => code),
  );
  sandbox.close();
  expect(await Promise.all(waiting)).toEqual(['internal', 'internal']);
  await expect(sandbox.compile('return 3')).rejects.toThrow('The sandbox is closed');
  await vi.waitFor(() => expect(compilers()).toEqual([]), 20_000);
});

function compilers(): number[] {
  return processesNaming(`${folder}/compiler.cjs`);
}

test('a compilation can be cancelled before, in the queue and in progress, without affecting others', async () => {
  await create();
  await expect(sandbox.compile('return 1', AbortSignal.abort('before'))).rejects.toBe('before');
  const [first, second] = [new AbortController(), new AbortController()];
  const done = sandbox.compile(slow, first.signal);
  const waiting = sandbox.compile('return 2', second.signal);
  const after = sandbox.compile('return 3');
  second.abort('waiting');
  first.abort('done');
  await expect(done).rejects.toBe('done');
  await expect(waiting).rejects.toBe('waiting');
  expect(await after).toMatchObject({ type: 'compiled', program: { source: 'return 3' } });
});
