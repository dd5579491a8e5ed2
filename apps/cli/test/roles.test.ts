import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '@executor/client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createDatabase } from '../../../packages/store/test/test-database.ts';
import { TestHome } from './home.ts';

const program = fileURLToPath(new URL('../bin/executor.js', import.meta.url));

/** A role in a process of its own, as a service manager would run it. */
class RoleProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  output = '';

  constructor(home: TestHome, args: string[]) {
    this.child = spawn(process.execPath, [program, ...args], {
      env: home.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.child.stdout?.on('data', (chunk) => {
      this.output += chunk;
    });
    this.ended = new Promise((resolve) =>
      this.child.once('exit', (code, signal) => resolve({ code, signal })),
    );
  }

  /** The fields of the first log line with that message. */
  async logged(message: string): Promise<Record<string, unknown>> {
    const find = () => this.lines().find(({ msg }) => msg === message);
    return vi.waitUntil(find, { timeout: 60_000, interval: 50 });
  }

  lines(): Record<string, unknown>[] {
    return this.output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM') {
    this.child.kill(signal);
    return this.ended;
  }
}

describe('without a shared database', () => {
  for (const role of ['server', 'worker']) {
    test(`${role} names up as the alternative`, async () => {
      await using home = new TestHome();
      expect(await home.run([role])).toEqual({
        code: 2,
        stdout: '',
        stderr: `executor: \`executor ${role}\` needs a Postgres database that servers and workers share. Set EXECUTOR_DATABASE_URL. Without Postgres, \`executor up\` runs server and worker in one process.\n`,
      });
    });
  }

  test('an invalid concurrency is wrong usage', async () => {
    await using home = new TestHome();
    for (const value of ['0', '-1', 'many', '1.5', '99999'])
      expect(await home.run(['worker', `--concurrency=${value}`])).toMatchObject({
        code: 2,
        stderr: `executor: --concurrency must be a number from 1 to 10000, got "${value}".\n`,
      });
  });
});

describe('on Postgres', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let home: TestHome;
  let server: RoleProcess;
  let url: string;
  let key: string;
  let client: Client;
  const processes: RoleProcess[] = [];
  const start = (...args: string[]) => {
    const role = new RoleProcess(home, args);
    processes.push(role);
    return role;
  };

  beforeAll(async () => {
    database = await createDatabase();
    home = new TestHome({ EXECUTOR_DATABASE_URL: database.url });
    server = start('server');
    ({ url } = (await server.logged('listening')) as { url: string });
    const token = (await home.read('data', 'local-token')).trim();
    ({ key } = await createClient({ url, token }).apiKeys.create({ name: 'tests', kind: 'person' }));
    client = createClient({ url, token: key });
  });
  afterAll(async () => {
    for (const { child } of processes) child.kill('SIGKILL');
    await home[Symbol.asyncDispose]();
    await database.drop();
  });

  test('a server without a worker queues runs, and the first worker runs them', async () => {
    const { id, status } = await client.executions.create({ code: 'return "run elsewhere"', waitMs: 300 });
    expect(status).toBe('queued');
    expect((await client.workers.list()).items).toEqual([]);
    const worker = start('worker', '--concurrency', '3');
    const { pid } = await worker.logged('working');
    expect(await client.executions.wait({ id, waitMs: 30_000 })).toMatchObject({
      status: 'completed',
      result: 'run elsewhere',
    });
    await vi.waitUntil(async () => (await client.workers.list()).items.length === 1, { timeout: 30_000 });
    expect((await client.workers.list()).items).toMatchObject([{ pid, concurrency: 3, draining: false }]);
  });

  test('commands of the same home use the running server and do not stop it', async () => {
    const pid = server.child.pid;
    expect(await home.json('status')).toMatchObject({ running: true, pid, url });
    expect(await home.json('up')).toMatchObject({ started: false, pid, url });
    expect((await home.run(['keys', 'ls'])).stdout).toMatch(/tests +person/);
    expect(await home.run(['call', 'return 6 * 7'])).toMatchObject({ code: 0, stdout: '42\n' });
    for (const command of ['down', 'restart'])
      expect(await home.run([command])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`Process ${pid} serves it, and was started with \`executor server\``),
      });
  });

  test('doctor lists the live workers', async () => {
    const second = start('worker');
    const { pid } = await second.logged('working');
    await vi.waitUntil(async () => (await client.workers.list()).items.length === 2, { timeout: 30_000 });
    const doctor = await home.run(['doctor', '--json'], { EXECUTOR_URL: url, EXECUTOR_TOKEN: key });
    const workers = JSON.parse(doctor.stdout).checks.filter(
      ({ name }: { name: string }) => name === 'worker',
    );
    expect(workers).toHaveLength(2);
    expect(workers.map(({ message }: { message: string }) => message).join('\n')).toMatch(
      new RegExp(`process ${pid} on \\S+: \\d+ of \\d+ runs, seen (just now|\\d+ s ago)`),
    );
    expect(await second.stop()).toEqual({ code: 0, signal: null });
    expect((await client.workers.list()).items.map((worker) => worker.pid)).not.toContain(pid);
  });

  test('a worker that stops releases its runs, and another one continues them', async () => {
    const code = 'for (let i = 0; i < 40; i++) { console.log(i); await sleep(100) } return "whole"';
    const { id } = await client.executions.create({ code });
    const types = async () => {
      const found: string[] = [];
      for await (const { type } of client.executions.events({ id, follow: 'false' })) found.push(type);
      return found;
    };
    await vi.waitUntil(async () => (await types()).includes('log'), { timeout: 30_000, interval: 50 });
    const old = processes.slice(1);
    start('worker');
    for (const role of old) expect(await role.stop()).toEqual({ code: 0, signal: null });
    expect(await client.executions.wait({ id, waitMs: 60_000 })).toMatchObject({
      status: 'completed',
      result: 'whole',
    });
    expect((await types()).filter((type) => type === 'execution.started').length).toBeGreaterThan(1);
  });

  test('a listener continues at another server when its server stops', async () => {
    const second = start('server');
    const { url: secondUrl } = (await second.logged('listening')) as { url: string };
    const there = createClient({ url: secondUrl, token: key });
    const { id } = await there.executions.create({ code: 'await sleep(1000); return 1' });
    const received: string[] = [];
    for await (const { type } of there.executions.events({ id }, { timeoutMs: 500 })) {
      received.push(type);
      if (received.length === 1) break;
    }
    expect(await second.stop('SIGINT')).toEqual({ code: 0, signal: null });
    expect(second.lines().map(({ msg }) => msg)).toContain('stopped');
    for await (const { type } of client.executions.events({ id, after: '1' })) received.push(type);
    expect(received.at(0)).toBe('execution.created');
    expect(received.at(-1)).toBe('execution.completed');
  });

  test('a second Ctrl-C does not wait for requests in flight', async () => {
    const { hostname, port } = new URL(url);
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': 100,
      // The server answers this header when it has received the others.
      expect: '100-continue',
    };
    const slow = request({ hostname, port, method: 'POST', path: '/v1/executions', headers });
    slow.on('error', () => {});
    slow.flushHeaders();
    await once(slow, 'continue');
    slow.write('{');
    server.child.kill('SIGINT');
    await server.logged('stopping: finishing work in flight');
    expect(await server.stop('SIGINT')).toEqual({ code: 130, signal: null });
  });

  test('logs are JSON without secrets', async () => {
    for (const role of processes) {
      expect(role.lines().every(({ level, time }) => level !== undefined && time !== undefined)).toBe(true);
      for (const secret of [key, 'correct-horse']) expect(role.output).not.toContain(secret);
    }
  });
});
