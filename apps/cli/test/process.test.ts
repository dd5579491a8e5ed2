import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { program } from './built-program.ts';
import { TestHome } from './home.ts';
import { StandIn } from './stand-in.ts';
import { keys, ProcessTerminal } from './terminal.ts';

/**
 * The real program in a process of its own. Other tests run commands in the process of the test. These show that the program connects
 * commands to its streams, signals, terminal and exit code.
 */
const home = new TestHome();
beforeAll(async () => home.json('up'));
afterAll(async () => home[Symbol.asyncDispose]());

test('the program reads standard input, writes both outputs and sets the exit code', async () => {
  const code = 'console.log("working"); return "piped"';
  expect(await home.startProcess(['call', '-'], { input: code }).ended).toEqual({
    code: 0,
    stdout: '"piped"\n',
    stderr: 'working\n',
  });
  expect((await home.startProcess(['call', '-'], { input: 'throw new Error("no")' }).ended).code).toBe(1);
  expect((await home.startProcess(['stauts']).ended).code).toBe(2);
});

test('a first SIGINT leaves the run and a second one cancels it', async () => {
  const code = 'console.log("on"); await sleep(60_000)';
  const call = home.startProcess(['call', code]);
  await call.untilError('on');
  call.child.kill('SIGINT');
  await call.untilError('--execution-id');
  call.child.kill('SIGINT');
  const { code: exit, stderr } = await call.ended;
  expect(exit).toBe(130);
  const [, id = ''] = /--execution-id (\S+)/.exec(stderr) ?? [];
  expect((await home.client.executions.get({ id })).status).toBe('cancelled');
});

test('a reader that closes the pipe early causes no error', () => {
  const executor = `"${process.execPath}" "${program}"`;
  const script = `${executor} logs -n 1000 | head -1; ${executor} --help | head -0; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { env: home.env, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/\n0\n$/);
});

test('logs -f prints new lines until the process is killed', async () => {
  const follower = home.startProcess(['logs', '-f', '-n', '0']);
  const { url } = home.daemon;
  const poke = setInterval(() => fetch(`${url}/v1/me`, { headers: { 'x-request-id': 'followed' } }), 200);
  await follower.untilOutput('requestId=followed');
  clearInterval(poke);
  follower.child.kill();
  await follower.ended;
});

describe('at a terminal of the operating system', () => {
  async function callAt(server: StandIn): Promise<ProcessTerminal> {
    const terminal = new ProcessTerminal(['call', 'return 1'], { ...home.env, ...(await server.listen()) });
    await terminal.until('running');
    return terminal;
  }

  test('keys typed before a question appears do not answer it, and a PIN is not shown', async () => {
    await using server = new StandIn([]);
    server.pin = '271828';
    const terminal = await callAt(server);
    terminal.type(`${keys.enter}${keys.enter}yes${keys.enter}`);
    server.ask({});
    for (const [message, typed] of [
      // The second choice. An earlier Enter would have taken the first.
      [/your answer\?.*└/s, keys.down],
      [/Enter your PIN.*└/s, '271828'],
    ] as const) {
      await terminal.until(message);
      terminal.type(typed + keys.enter);
    }
    expect(await terminal.exit).toBe(0);
    expect(server.answers).toMatchObject([
      { resolution: { action: 'approve', scope: 'identical' }, pin: '271828' },
    ]);
    expect(terminal.raw).not.toContain('271828');
  });

  test('Ctrl-C leaves the run running and prints how to resume it', async () => {
    await using server = new StandIn([]);
    const terminal = await callAt(server);
    terminal.type(keys.ctrlC);
    await terminal.until('executor resume --execution-id exe_1');
    expect(await terminal.exit).toBe(130);
    expect(server.execution.status).toBe('waiting');
  });
});
