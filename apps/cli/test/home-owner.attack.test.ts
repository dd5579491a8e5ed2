import { chownSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TestHome } from './home.ts';

describe.runIf(process.getuid?.() === 0)('In a home that another user owns', () => {
  test.each(['status', 'up', 'config list', 'call 1'])(
    'executor %s is refused and writes nothing',
    async (command) => {
      await using home = new TestHome();
      chownSync(home.path, 1001, 1001);
      const { code, stderr } = await home.run(command.split(' '));
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(
          'it belongs to the user with id 1001, and this command runs as root.',
        ),
      });
      expect(readdirSync(home.path)).toEqual([]);
    },
  );

  test('a folder of the daemon is refused too', async () => {
    await using home = new TestHome();
    const run = join(home.path, 'run');
    mkdirSync(run);
    chownSync(run, 1001, 1001);
    expect((await home.run(['up'])).stderr).toContain(`Cannot use ${run}: it belongs to`);
    expect(readdirSync(run)).toEqual([]);
  });

  test('a command for another server does not use it', async () => {
    await using home = new TestHome();
    chownSync(home.path, 1001, 1001);
    const env = { EXECUTOR_URL: 'http://127.0.0.1:9', EXECUTOR_TOKEN: 'x'.repeat(40) };
    expect((await home.run(['executions', 'list'], env)).stderr).not.toContain('belongs to');
  });
});
