import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TestHome } from './home.ts';

test('a home that cannot be used is reported with the reason and a fix', async () => {
  await using home = new TestHome();
  await writeFile(join(home.path, 'run'), 'a file where a folder should be');
  const { code, stdout, stderr } = await home.run(['status']);
  await rm(join(home.path, 'run'));
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^executor: Cannot use \S+daemon\.lock: a part of that path is a file.*\n$/);
});

test('a broken configuration is reported with its position, with or without a daemon', async () => {
  await using home = new TestHome();
  const path = join(home.path, 'config.json');
  await writeFile(path, '{\n  "port": 9000,\n}\n');
  const problem = `Cannot use ${path}: it is not JSON, see line 3, column 1. Correct it, or move it away to use the defaults.`;
  expect(await home.run(['status'])).toEqual({
    code: 4,
    stdout: `Executor is not running, and its configuration is invalid.\n${problem}\n`,
    stderr: '',
  });
  await rm(path);
  await home.json('up');
  await writeFile(path, '{\n  "port": 9000,\n}\n');
  const { code, stdout } = await home.run(['status']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Executor \S+ is running at http/);
  expect(stdout).toContain(`Its configuration is now invalid, so it cannot be restarted.\n${problem}\n`);
  expect(await home.json('status')).toMatchObject({ running: true, configError: problem });
});
