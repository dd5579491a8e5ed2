import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { TestHome } from './home.ts';

test('up starts a daemon, a second up finds it, and down stops it', async () => {
  await using home = new TestHome();
  // A real process, which must end although the daemon runs on. Its home is a relative path.
  const up = home.startProcess(['up', '--json'], {
    env: { EXECUTOR_HOME: basename(home.path) },
    cwd: dirname(home.path),
  });
  const started = JSON.parse((await up.ended).stdout);
  expect(started).toMatchObject({
    running: true,
    started: true,
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
  });
  expect(await home.json('up')).toEqual({ ...started, started: false });
  const { workspaceId, ...status } = await home.json('status');
  const { pid, url, version } = started;
  expect(status).toEqual({
    running: true,
    healthy: true,
    pid,
    url,
    version,
    home: home.path,
    database: 'pglite',
  });
  expect(workspaceId).toMatch(/^ws_/);
  expect(await home.json('down')).toEqual({ running: false, stopped: true, pid });
  expect(await home.json('down')).toEqual({ running: false, stopped: false });
  const { code, stdout } = await home.run(['status', '--json']);
  expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 4, running: false, home: home.path });
});

const atOnce = process.env.EXECUTOR_TEST_LONG === '1' ? 10 : 5;

describe(`${atOnce} concurrent commands`, () => {
  const home = new TestHome();
  afterAll(async () => home[Symbol.asyncDispose]());
  const start = async () => {
    const outcomes = await Promise.all(Array.from({ length: atOnce }, () => home.run(['up', '--json'])));
    expect(outcomes.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      Array(atOnce).fill({ code: 0, stderr: '' }),
    );
    return outcomes.map(({ stdout }): { pid: number; started: boolean } => JSON.parse(stdout));
  };

  test('start one daemon, and all commands succeed', async () => {
    const answers = await start();
    expect(new Set(answers.map(({ pid }) => pid)).size).toBe(1);
    expect(answers.filter(({ started }) => started)).toHaveLength(1);
  });

  test('start one daemon after a crash, and ignore its stale record', async () => {
    const { pid } = await home.json('up');
    const path = join(home.path, 'run', 'daemon.json');
    const record = JSON.parse(await readFile(path, 'utf8'));
    await home.killDaemon();
    // Another process has the process id of the daemon now.
    await writeFile(path, JSON.stringify({ ...record, pid: process.pid }));
    expect((await home.run(['status'])).code).toBe(4);
    expect(await home.json('down')).toEqual({ running: false, stopped: false });
    const pids = new Set((await start()).map((answer) => answer.pid));
    expect(pids.size).toBe(1);
    expect(pids).not.toContain(pid);
  });
});

test('a port in use is reported with its process, and no daemon keeps running', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  try {
    await using home = new TestHome({ EXECUTOR_PORT: String(port) });
    const { code, stderr } = await home.run(['up']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        new RegExp(`^executor: Port ${port} on 127.0.0.1 is in use by process ${process.pid} \\(`),
      ),
    });
    expect(stderr).toContain(`executor up --port ${port + 1}`);
    expect((await home.run(['status'])).code).toBe(4);
  } finally {
    other.close();
  }
});

/** The tests of the store kill the database more often. */
const kills = process.env.EXECUTOR_TEST_LONG === '1' ? 20 : 2;

test(`every acknowledged write survives ${kills} crashes during writes`, async () => {
  await using home = new TestHome();
  const acknowledged: string[] = [];
  for (let round = 0; round < kills; round++) {
    await home.json('up');
    const { client } = home;
    let killed: Promise<void> | undefined;
    for (let writes = 0; writes < 1000; writes++) {
      const key = await client.apiKeys.create({ name: `round ${round}` }).catch(() => undefined);
      if (key === undefined) break;
      acknowledged.push(key.id);
      // Writes continue, so the daemon dies with one in flight.
      if (writes === 3 * (round + 1)) killed = home.killDaemon();
    }
    await killed;
  }
  const found = new Set((await home.json('keys', 'ls')).items.map(({ id }: { id: string }) => id));
  expect(acknowledged.length).toBeGreaterThanOrEqual(kills);
  expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
});

test('restart keeps the data and the port', async () => {
  await using home = new TestHome({ EXECUTOR_PORT: undefined });
  const before = await home.json('up', '--port', '0');
  const { id } = await home.json('keys', 'create', 'kept');
  const after = await home.json('restart');
  expect(after.url).toBe(before.url);
  expect(after.pid).not.toBe(before.pid);
  expect(await home.keys()).toMatchObject([{ id }]);
});

test('a foreground daemon survives a closed output and stops on Ctrl-C', async () => {
  await using home = new TestHome();
  const foreground = home.startProcess(['up', '--foreground']);
  await foreground.untilError('--help');
  expect(foreground.stderr).toMatch(/Executor 0\.1\.0 is running at http:\/\/127\.0\.0\.1:\d+/);
  const { pid } = foreground.child;
  expect(await home.json('status')).toMatchObject({ running: true, pid });
  const second = await home.run(['up', '--foreground']);
  expect(second).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`already running as process ${pid}`),
  });
  foreground.child.stdout?.destroy();
  for (let round = 0; round < 5; round++) expect((await fetch(`${home.daemon.url}/v1/me`)).status).toBe(401);
  expect(await home.json('status')).toMatchObject({ pid, healthy: true });
  foreground.child.kill('SIGINT');
  expect(await foreground.ended).toMatchObject({ code: 0 });
});

test('every down waits until the daemon has finished its requests', async () => {
  await using home = new TestHome();
  const { pid, url } = await home.json('up');
  const token = (await home.read('data', 'local-token')).trim();
  const slow = request(`${url}/v1/api-keys`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': 12,
      // The daemon answers this header when it has received the request.
      expect: '100-continue',
    },
  });
  slow.on('error', () => {}).flushHeaders();
  await once(slow, 'continue');
  slow.write('{"name"');
  const answered = once(slow, 'response');
  const first = home.start(['down', '--json']);
  await first.untilError(`Waiting for process ${pid}`);
  expect((await home.run(['status'])).stdout).toContain('It has a problem');
  const second = home.start(['down', '--json']);
  await second.untilError(`Waiting for process ${pid}`);
  slow.end(':"a"}');
  await answered;
  for (const { stdout } of await Promise.all([first.ended, second.ended]))
    expect(JSON.parse(stdout)).toEqual({ running: false, stopped: true, pid });
  expect((await home.run(['status'])).code).toBe(4);
});

test('a daemon that cannot write its record ends', async () => {
  await using home = new TestHome();
  await mkdir(join(home.path, 'run', 'daemon.json', 'in the way'), { recursive: true });
  const { code, stderr } = await home.run(['up']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining(`Cannot use ${join(home.path, 'run', 'daemon.json')}`),
  });
  await rm(join(home.path, 'run', 'daemon.json'), { recursive: true });
  expect(await home.json('down')).toEqual({ running: false, stopped: false });
});
