import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createClient } from '@executor/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newBrowser } from '../../../packages/server/test/browser-session.ts';
import { ensureShells } from '../../../scripts/setup-shells.ts';
import { commandLineDocument } from '../docs.ts';
import { TestHome } from './home.ts';

const home = new TestHome();
afterAll(async () => home[Symbol.asyncDispose]());

describe('help', () => {
  test('the help of every command has an example', () => {
    const sections = commandLineDocument()
      .split(/\n#+ (?=executor )/)
      .slice(1);
    expect(sections.length).toBeGreaterThan(60);
    const silent = sections.filter((text) => !/\nExamples:\n {2}\$ (source <\()?executor /.test(text));
    expect(silent.map((text) => text.split('\n')[0])).toEqual([]);
  });

  test('commands and subcommands print their help', async () => {
    for (const command of ['call', 'tools call']) {
      const { code, stdout } = await home.run([...command.split(' '), '--help']);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringContaining('\nExamples:\n  $ executor '),
      });
    }
  });

  test('wrong usage ends with 2 and suggests a correction', async () => {
    const cases: [string[], string][] = [
      [['stauts'], 'Did you mean status?'],
      [['up', '--prot', '1'], 'Did you mean --port?'],
      [['keys', 'create'], "missing required argument 'NAME'"],
      [['keys', 'create', 'a', '--kind', 'robot'], 'agent, person'],
      [['logs', '-n', 'many'], 'executor: --lines must be a whole number, got "many".\n'],
      [['completion', 'tcsh'], 'tcsh'],
      [['up', '--port', '99999'], 'executor: --port: '],
    ];
    const outcomes = await home.runSeveral(cases.map(([args]) => args));
    for (const [index, [args, message]] of cases.entries())
      expect({ args, ...outcomes[index] }).toMatchObject({
        args,
        code: 2,
        stderr: expect.stringContaining(message),
      });
    const { code, stderr } = await home.run(['keys', 'create', '--json']);
    expect({ code, error: JSON.parse(stderr).error }).toEqual({
      code: 2,
      error: { code: 'usage', message: "missing required argument 'NAME'" },
    });
  });

  test('--version prints the version of the package', async () => {
    expect((await home.run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('keys', () => {
  test('keys are created, listed, used and revoked; the first command starts the daemon', async () => {
    expect((await home.run(['keys', 'ls'])).stdout).toBe(
      'There are no keys yet. `executor keys create NAME` creates one.\n',
    );
    const { id, key, kind } = await home.json('keys', 'create', 'robot', '--kind', 'agent');
    expect({ kind, key }).toEqual({ kind: 'agent', key: expect.stringMatching(/^exa_/) });
    const { url } = home.daemon;
    expect((await createClient({ url, token: key }).me.get()).principal).toMatchObject({
      kind: 'agent',
      apiKeyId: id,
    });
    expect((await home.run(['keys', 'ls'])).stdout).toMatch(
      new RegExp(`${id} +robot +agent +- +${key.slice(-4)} +just now +just now`),
    );
    expect((await home.run(['keys', 'allow-dialog', id])).stdout).toMatch(
      /^The dialog of the client with this key may now/,
    );
    expect((await home.run(['keys', 'ls'])).stdout).toMatch(/robot +agent +may approve/);
    expect(await home.json('keys', 'allow-dialog', id, '--off')).toMatchObject({ allowDialog: false });
    expect(await home.run(['keys', 'create', 'me', '--kind', 'person', '--allow-dialog'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('key of an agent'),
    });
    const plain = await home.run(['keys', 'create', 'to copy', '--kind', 'person']);
    expect(plain.stdout).toMatch(/^exp_\S+\n$/);
    expect(await home.run(['keys', 'rm', id])).toMatchObject({ code: 0, stdout: 'The key is revoked.\n' });
    expect(await home.run(['keys', 'rm', id])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`no API key "${id}"`),
    });
    await expect(createClient({ url, token: key }).me.get()).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    expect((await home.run(['keys', 'ls', '--all'])).stdout).toContain('revoked');
  });

  test('--json prints errors as JSON', async () => {
    const { code, stderr } = await home.run(['keys', 'rm', 'key_nothing', '--json']);
    expect({ code, error: JSON.parse(stderr).error.code }).toEqual({ code: 1, error: 'notFound' });
  });

  test('the local token is not sent to other servers', async () => {
    const { url } = await home.json('up');
    const received: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      received.push(request.headers.authorization);
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    for (const command of ['keys', 'status', 'web']) {
      const { code, stderr } = await home.run([command], { EXECUTOR_URL: elsewhere });
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Set EXECUTOR_TOKEN') });
    }
    expect(received).toEqual([]);
    other.close();
    expect((await home.run(['keys', 'ls'], { EXECUTOR_URL: url })).code).toBe(0);
    expect(await home.run(['keys', 'ls'], { EXECUTOR_URL: 'localhost:8788' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('EXECUTOR_URL must be a URL'),
    });
  });

  test('a missing local token is reported, and a restart creates a new one', async () => {
    await home.json('up');
    await rm(join(home.path, 'data', 'local-token'));
    expect(await home.run(['keys', 'ls'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('`executor restart` creates a new one'),
    });
    expect(await home.run(['doctor'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('✗ local token'),
    });
    await home.json('restart');
    expect((await home.run(['keys', 'ls'])).code).toBe(0);
  });

  test('EXECUTOR_URL and EXECUTOR_TOKEN select another server and principal', async () => {
    const { url } = await home.json('up');
    const { key } = await home.client.apiKeys.create({ name: 'elsewhere', kind: 'agent' });
    await using empty = new TestHome({ EXECUTOR_URL: url, EXECUTOR_TOKEN: key });
    expect(await empty.json('status')).toMatchObject({ running: true, url, database: 'pglite' });
    expect(await empty.run(['keys', 'ls'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Agents may not call GET /v1/api-keys'),
    });
    expect(await empty.run(['keys', 'ls'], { EXECUTOR_URL: 'http://127.0.0.1:1' })).toMatchObject({
      code: 4,
      stderr: 'executor: Nothing answers at http://127.0.0.1:1.\n',
    });
  });
});

test('web prints a link that works once', async () => {
  const { stdout } = await home.run(['web', '--print']);
  const link = new URL(stdout.trim());
  const { publicKey, signer } = await newBrowser();
  const client = createClient({ url: link.origin, signer });
  const code = link.hash.replace('#sign-in=', '');
  const { id } = await client.sessions.create({ code, publicKey });
  await expect(client.sessions.create({ code, publicKey })).rejects.toMatchObject({ code: 'gone' });
  expect((await home.json('sessions', 'ls')).items).toMatchObject([{ id, current: false }]);
  expect((await home.run(['sessions', 'rm', id])).stdout).toBe('The session is ended.\n');
  expect(await home.json('sessions', 'ls')).toEqual({ items: [] });
  expect((await home.run(['sessions', 'rm', id])).code).toBe(1);
  expect((await home.run(['sessions', 'rm', '--all'])).stdout).toBe('0 sessions are ended.\n');
  for (const args of [[], [id, '--all']]) expect((await home.run(['sessions', 'rm', ...args])).code).toBe(2);
  expect((await home.run(['web'], { DISPLAY: '', WAYLAND_DISPLAY: '' })).stdout).toContain(
    'Open this link within five minutes',
  );
});

test('web waits for the desktop to open the link and reports the result', async () => {
  await home.json('up');
  const bin = join(home.path, 'bin');
  await mkdir(bin);
  const openWith = async (script: string) => {
    await writeFile(join(bin, 'xdg-open'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return home.run(['web'], { DISPLAY: ':0', PATH: `${bin}:${process.env.PATH}` });
  };
  const opened = join(bin, 'opened');
  expect(await openWith(`sleep 1; echo "$1" > '${opened}'`)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Opened http/),
  });
  expect(await readFile(opened, 'utf8')).toContain('/#sign-in=exc_');
  expect(await openWith('exit 3')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Open this link within five minutes'),
  });
});

describe('logs', () => {
  test('are printed as text or as JSON', async () => {
    await home.json('up');
    expect((await home.run(['logs'])).stdout).toMatch(/^\d{4}-\d\d-\d\d .* info {2}listening url=/m);
    const [line] = (await home.run(['logs', '-n', '1', '--json'])).stdout.split('\n');
    expect(JSON.parse(line ?? '')).toHaveProperty('time');
  });

  test('name the path of the log file if it does not exist', async () => {
    await using empty = new TestHome();
    expect((await empty.run(['logs'])).stderr).toBe(
      `There is no log yet. It will be in ${join(empty.path, 'logs', 'executor.log')}.\n`,
    );
  });

  test('say why the log file cannot be read', async () => {
    await using own = new TestHome();
    const path = join(own.path, 'logs', 'executor.log');
    await mkdir(path, { recursive: true });
    const isFolder = {
      code: 1,
      stderr: `executor: Cannot use ${path}: it is a folder, not a file. Move that folder away, or set EXECUTOR_HOME to another folder.\n`,
    };
    expect(await own.run(['logs'])).toMatchObject(isFolder);
    expect(await own.run(['logs', '--follow'])).toMatchObject(isFolder);
    await rm(join(own.path, 'logs'), { recursive: true });
    await writeFile(join(own.path, 'logs'), '');
    expect(await own.run(['logs'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('a part of that path is a file, not a folder.'),
    });
  });
});

describe('config', () => {
  test('environment variables override the file, and each value shows its origin', async () => {
    await using own = new TestHome({ EXECUTOR_PORT: undefined });
    expect((await own.run(['config', 'get', 'port'])).stdout).toBe('8788\n');
    expect((await own.run(['config', 'set', 'port', '9123'])).code).toBe(0);
    expect((await own.run(['config', 'get', 'port'])).stdout).toBe('9123\n');
    expect((await own.run(['config', 'get', 'port'], { EXECUTOR_PORT: '9124' })).stdout).toBe('9124\n');
    expect((await own.json('config', 'list')).items[1]).toMatchObject({
      key: 'port',
      value: 9123,
      origin: 'file',
    });
    expect(JSON.parse(await own.read('config.json'))).toEqual({
      $schema: './config.schema.json',
      port: 9123,
    });
    expect(JSON.parse(await own.read('config.schema.json')).properties.port.maximum).toBe(65535);
    await own.run(['config', 'unset', 'port']);
    expect((await own.run(['config', 'get', 'port'])).stdout).toBe('8788\n');
    expect((await own.run(['config', 'path'])).stdout).toBe(`${join(own.path, 'config.json')}\n`);
  });

  test('wrong keys and values are rejected with a suggestion, and nothing is written', async () => {
    await using own = new TestHome();
    expect(await own.run(['config', 'set', 'prot', '1'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "port"?'),
    });
    expect(await own.run(['config', 'set', 'port', 'many'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/port: .*number.*"many"/),
    });
    await expect(own.read('config.json')).rejects.toThrow('ENOENT');
  });

  test('a file that is not JSON fails every command with its position, and is not changed', async () => {
    await using own = new TestHome();
    await writeFile(join(own.path, 'config.json'), '{ "port": 9000,, }');
    for (const command of [['up'], ['config', 'list'], ['keys', 'ls']]) {
      const { code, stderr } = await own.run(command);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(
          /config\.json: it is not JSON, see line 1, column 16\. Correct it, or move it away/s,
        ),
      });
    }
    expect(await own.read('config.json')).toBe('{ "port": 9000,, }');
    expect(await own.run(['doctor'])).toMatchObject({ code: 1, stdout: expect.stringContaining('✗ config') });
  });

  test('list does not show the password of the database', async () => {
    const { stdout } = await home.run(['config', 'list'], {
      EXECUTOR_DATABASE_URL: 'postgres://me:hun@ter2@db.example/x?password=hunter3',
    });
    expect(stdout).toContain('postgres://me@db.example/x');
    expect(stdout).not.toMatch(/hun@?ter/);
  });
});

describe('doctor', () => {
  test('finds no problems in a working home, with or without a daemon', async () => {
    const { ok, checks } = await home.json('doctor');
    expect(ok).toBe(true);
    // One check for each resource.
    const names = new Set(checks.map(({ name }: { name: string }) => name));
    expect([...names]).toEqual([
      'node',
      'data folder',
      'config folder',
      'logs folder',
      'run folder',
      'config',
      'local token',
      'daemon',
      'port',
      'database',
      'worker',
      'limits',
      'sandbox',
      'disk space',
      'clock',
    ]);
    await using empty = new TestHome();
    expect((await empty.json('doctor')).ok).toBe(true);
  });

  test('reports problems with their fixes', async () => {
    await using own = new TestHome();
    await mkdir(join(own.path, 'data'), { mode: 0o700 });
    await writeFile(join(own.path, 'data', 'local-token'), 'a token', { mode: 0o644 });
    const { code, stdout } = await own.run(['doctor', '--json'], {
      EXECUTOR_DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/x',
    });
    const failed = JSON.parse(stdout).checks.filter(({ state }: { state: string }) => state === 'failed');
    expect({ code, failed }).toEqual({
      code: 1,
      failed: [
        {
          name: 'local token',
          state: 'failed',
          message: expect.stringContaining('can be read by other users'),
          fix: expect.stringContaining('executor restart'),
        },
        {
          name: 'database',
          state: 'failed',
          message: expect.stringContaining('Postgres at postgres://me@127.0.0.1:1/x does not answer'),
          fix: expect.stringContaining('Start Postgres'),
        },
      ],
    });
    expect(stdout).not.toContain('hunter2');
  });
});

describe('folders', () => {
  test('only the owner can read files and folders', async () => {
    await home.json('up');
    for (const path of ['data', 'run', 'logs', 'data/pgdata'])
      expect((await stat(join(home.path, path))).mode & 0o077, path).toBe(0);
    for (const path of ['data/local-token', 'run/daemon.json', 'logs/executor.log'])
      expect((await stat(join(home.path, path))).mode & 0o177, path).toBe(0);
  });

  test('a home that cannot be used is reported in one sentence', async () => {
    await using own = new TestHome();
    await writeFile(join(own.path, 'file'), '');
    const below = await own.run(['up'], { EXECUTOR_HOME: join(own.path, 'file', 'home') });
    expect(below).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^executor: Cannot use .*a part of that path is a file, not a folder\. .*EXECUTOR_HOME/,
      ),
    });
    await mkdir(join(own.path, 'data', 'pgdata'), { recursive: true });
    const empty = await own.run(['up']);
    expect(empty).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^executor: The database in .* cannot be opened: .*Put a backup/),
    });
  });
});

describe('completion', () => {
  test('bash completes commands, subcommands and options', async () => {
    const { stdout: script } = await home.run(['completion', 'bash']);
    const complete = (line: string) => {
      const words = line.split(' ');
      const probe = `${script}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _executor; echo "\${COMPREPLY[@]}"`;
      return spawnSync('bash', ['-c', probe], { encoding: 'utf8' }).stdout.trim();
    };
    expect(complete('executor st')).toBe('status');
    expect(complete('executor keys c')).toBe('create');
    expect(complete('executor keys create --k')).toBe('--kind');
    expect(complete('executor --json config s')).toBe('set');
    expect(complete('executor keys create my-agent --k')).toBe('--kind');
    expect(complete('executor keys create my-agent --kind p')).toBe('person');
    expect(complete('executor up --port 9000 --f')).toBe('--foreground');
    expect(complete('executor completion z')).toBe('zsh');
    expect(complete('executor executions ls --status w')).toBe('waiting');
    expect(complete('executor approvals ls --status w')).toBe('withdrawn');
    expect(complete('executor approvals approve int_1 --r')).toBe('--remember');
    expect(complete('executor call --no-')).toBe('--no-open --no-typecheck');
  });

  describe.runIf(process.env.EXECUTOR_TEST_LONG === '1')('other shells', () => {
    beforeAll(ensureShells);

    test('fish completes the same', async () => {
      const { stdout: script } = await home.run(['completion', 'fish']);
      const complete = (line: string) =>
        spawnSync('fish', ['--no-config', '-c', `${script}\ncomplete -C '${line}'`], {
          env: home.env,
          encoding: 'utf8',
        });
      expect(complete('executor st')).toMatchObject({ stdout: 'status\n', stderr: '' });
      expect(complete('executor keys create my-agent --kind p')).toMatchObject({
        stdout: 'person\n',
        stderr: '',
      });
      expect(complete('executor executions ls --status w')).toMatchObject({
        stdout: 'waiting\n',
        stderr: '',
      });
      expect(complete('executor call --file /et').stdout).toContain('/etc/');
    });

    test('zsh completes the same', async () => {
      const { stdout: script } = await home.run(['completion', 'zsh']);
      const probe = `compdef() { :; }; compadd() { shift; print -- $@; }\n${script}\nwords=(executor keys create my-agent --kind p); CURRENT=6; _executor`;
      expect(spawnSync('zsh', ['-fc', probe], { encoding: 'utf8' })).toMatchObject({
        stdout: 'agent person\n',
        stderr: '',
      });
    });
  });

  test('the scripts for zsh and fish name every command', async () => {
    for (const shell of ['zsh', 'fish']) {
      const { stdout } = await home.run(['completion', shell]);
      for (const word of ['status', 'doctor', 'create']) expect(stdout).toContain(word);
    }
  });
});
