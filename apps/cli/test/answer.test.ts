import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Interaction } from '@executor/protocol';
import { describe, expect, test } from 'vitest';
import { TestHome } from './home.ts';
import { StandIn } from './stand-in.ts';
import { keys, Terminal } from './terminal.ts';

const { enter, down, ctrlC } = keys;

/** A run with questions, watched at a terminal. */
class AskingRun {
  readonly server: StandIn;
  readonly #home: TestHome;
  #terminal: Terminal | undefined;

  constructor(asks: Partial<Interaction>[]) {
    this.server = new StandIn(asks);
    this.#home = new TestHome();
  }

  get path(): string {
    return this.#home.path;
  }

  get terminal(): Terminal {
    if (this.#terminal === undefined) throw new Error('start it first');
    return this.#terminal;
  }

  async start(args = ['call', 'return 1'], env: NodeJS.ProcessEnv = {}): Promise<this> {
    this.#terminal = new Terminal(args, { ...this.#home.env, ...(await this.server.listen()), ...env });
    return this;
  }

  /** Waits for a menu and chooses by moving down. */
  async choose(message: string, steps: number): Promise<void> {
    await this.terminal.until(message);
    // Keys that arrive before the last line of the menu are dropped.
    await this.terminal.until(/└/);
    this.terminal.type(down.repeat(steps) + enter);
  }

  async enter(message: string, text: string): Promise<void> {
    await this.terminal.until(message);
    await this.terminal.until(/└/);
    this.terminal.type(text + enter);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    await this.#home[Symbol.asyncDispose]();
  }
}

const rule = {
  scope: { type: 'workspace' as const },
  pattern: 'demo.write',
  conditions: [{ field: 'text', equals: 'hello' }],
  decision: 'allow' as const,
};

test('without a terminal, a question of a call in flight is printed once while the run continues', async () => {
  await using server = new StandIn([{ kind: 'elicitation', prompt: 'Which city?' }], { status: 'running' });
  await using home = new TestHome();
  const run = home.start(['call', 'return 1'], { env: await server.listen() });
  await run.untilError('Which city?');
  server.settle(server.interactions[0]?.id ?? '', { action: 'submit', data: {} });
  const { code, stderr } = await run.ended;
  expect(code).toBe(0);
  expect(stderr).toContain('The run needs an answer to continue.');
  expect(stderr.match(/Which city\?/g)).toHaveLength(1);
});

describe('questions of a run at the terminal', () => {
  test('an approval shows exactly what the call sends', async () => {
    await using run = await new AskingRun([{}]).start();
    const shown = await run.terminal.until('your answer?');
    expect(shown).toContain('May this call be made?');
    expect(shown).toMatch(/tool +demo\.write/);
    expect(shown).toMatch(/effect +write/);
    expect(shown).toMatch(/text +hello/);
    expect(shown.indexOf('effect  write')).toBeLessThan(shown.indexOf('tool    demo.write'));
    await run.choose('Approve once', 0);
    expect(await run.terminal.exit).toBe(0);
    expect(run.terminal.text).toContain('"done"');
    expect(run.server.answers).toEqual([
      { id: 'int_1', resolution: { action: 'approve', scope: 'once' }, pin: undefined },
    ]);
  });

  test('one answer can approve all identical calls', async () => {
    await using run = await new AskingRun([{}]).start();
    await run.choose('your answer?', 1);
    expect(await run.terminal.exit).toBe(0);
    expect(run.server.answers[0]?.resolution).toEqual({ action: 'approve', scope: 'identical' });
  });

  test('a denial takes a reason, and the failed run ends with 1', async () => {
    await using run = new AskingRun([{}]);
    run.server.end = {
      status: 'failed',
      error: {
        code: 'threw',
        name: 'ToolDeniedError',
        message: 'denied: not today',
        line: 2,
        excerpt: '> 2 | write',
      },
    };
    await run.start();
    await run.choose('your answer?', 2);
    await run.enter('Why?', 'not today');
    expect(await run.terminal.exit).toBe(1);
    expect(run.server.answers[0]?.resolution).toEqual({ action: 'deny', reason: 'not today' });
    expect(run.terminal.text).toMatch(/ToolDeniedError: denied: not today \(line 2\)\s+> 2 \| write/);
  });

  test('the suggested rule is shown, can be changed, and is sent with the answer', async () => {
    await using run = await new AskingRun([{ remember: rule }]).start();
    await run.choose('your answer?', 2);
    await run.choose('From now on: allow demo.write when text=hello', 2);
    await run.enter('Condition (field', ',again');
    await run.choose('From now on: allow demo.write when text=hello,again', 1);
    await run.enter('Tools (*', '.**');
    await run.choose('From now on: allow demo.write.** when text=hello,again', 0);
    expect(await run.terminal.exit).toBe(0);
    expect(run.server.answers[0]?.resolution).toEqual({
      action: 'approve',
      scope: 'once',
      remember: {
        ...rule,
        pattern: 'demo.write.**',
        conditions: [{ field: 'text', oneOf: ['hello', 'again'] }],
      },
    });
  });

  test('several approvals are shown together and approved in one step', async () => {
    const asks = ['one', 'two', 'three'].map((text) => ({ request: { text } }));
    await using run = await new AskingRun(asks).start();
    const shown = await run.terminal.until('3 calls need your approval');
    for (const { request } of asks) expect(shown).toMatch(new RegExp(`text +${request.text}`));
    await run.choose('Approve all 3', 0);
    expect(await run.terminal.exit).toBe(0);
    expect(run.server.answers.map(({ id }) => id)).toEqual(['int_1', 'int_2', 'int_3']);
  });

  test('shortened approvals can be approved in one step only after all pages were shown', async () => {
    const harm = 'and delete everything';
    const asks = ['one', `${'x'.repeat(5_000)} ${harm}`].map((text) => ({ request: { text } }));
    await using run = await new AskingRun(asks).start();
    const shown = await run.terminal.until('Answer them one by one');
    expect(shown).not.toContain('Approve all');
    expect(shown).not.toContain(harm);
    await run.choose('Later', 0);
    await run.choose('1 more page', 0);
    const whole = await run.terminal.until('Approve all 2');
    expect(whole).toContain(harm);
    await run.choose('Later', 0);
    expect(await run.terminal.exit).toBe(0);
    expect(run.server.answers.map(({ id }) => id)).toEqual(['int_1', 'int_2']);
  });

  test('approve --all shows every page before it asks, and answers nothing if the user stops', async () => {
    const harm = 'and delete everything';
    const asks = ['one', `${'x'.repeat(5_000)} ${harm}`].map((text) => ({ request: { text } }));
    await using stopped = await new AskingRun(asks).start(['approvals', 'approve', '--all']);
    await stopped.choose('1 more page', 1);
    expect(await stopped.terminal.exit).toBe(0);
    expect(stopped.terminal.text).not.toContain('Answer all');
    expect(stopped.server.answers).toEqual([]);

    await using run = await new AskingRun(asks).start(['approvals', 'approve', '--all']);
    await run.choose('1 more page', 0);
    expect(await run.terminal.until('Answer all 2?')).toContain(harm);
    await run.choose('Yes, all 2', 1);
    expect(await run.terminal.exit).toBe(0);
    expect(run.server.answers.map(({ id }) => id)).toEqual(['int_1', 'int_2']);
  });

  test('several approvals can be answered one by one', async () => {
    await using run = await new AskingRun([{}, {}]).start();
    await run.choose('2 calls need your approval', 1);
    await run.choose('your answer?', 0);
    await run.choose('your answer?', 2);
    await run.enter('Why?', '');
    expect(await run.terminal.exit).toBe(0);
    expect(run.server.answers.map(({ resolution }) => resolution.action)).toEqual(['approve', 'deny']);
  });

  test('the user enters the result of a call that may have happened as JSON', async () => {
    await using run = await new AskingRun([{ kind: 'reconcile', prompt: 'Did it happen?' }]).start();
    await run.choose('your answer?', 1);
    await run.enter('The result of the call', 'not JSON');
    await run.terminal.until('It must be JSON');
    run.terminal.type(`${'\b'.repeat(8)}{"id":42}${enter}`);
    expect(await run.terminal.exit).toBe(0);
    expect(run.server.answers[0]?.resolution).toEqual({ action: 'complete', data: { id: 42 } });
  });

  test('a form asks for one field after the other', async () => {
    const request = {
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Your name' },
        age: { type: 'integer' },
        colour: { type: 'string', enum: ['red', 'green'] },
        sure: { type: 'boolean' },
      },
      required: ['name', 'colour', 'sure'],
    };
    await using run = await new AskingRun([{ kind: 'elicitation', request }]).start();
    await run.choose('your answer?', 0);
    await run.enter('Your name', 'Ada');
    await run.enter('age (may be empty)', '');
    await run.choose('colour', 1);
    await run.choose('sure', 0);
    expect(await run.terminal.exit).toBe(0);
    expect(run.server.answers[0]?.resolution).toEqual({
      action: 'submit',
      data: { name: 'Ada', colour: 'green', sure: true },
    });
  });

  test('the PIN is asked for without echo, and again if it was wrong', async () => {
    await using run = new AskingRun([{}]);
    run.server.pin = '271828';
    await run.start();
    await run.choose('your answer?', 0);
    await run.enter('Enter your PIN', '111111');
    await run.enter('That is not the PIN', '271828');
    expect(await run.terminal.exit).toBe(0);
    expect(run.server.answers).toMatchObject([{ pin: '271828' }]);
    expect(run.terminal.raw).not.toMatch(/271828|111111/);
  });

  test('the spinner leaves no line behind after an answer', async () => {
    await using run = new AskingRun([{}]);
    run.server.end = { status: 'completed', result: 'done' };
    await run.start();
    await run.choose('your answer?', 0);
    expect(await run.terminal.exit).toBe(0);
    // The spinner clears its line before the next output. A new line in between would leave a copy of it behind.
    const afterAnswer = run.terminal.raw.slice(run.terminal.raw.lastIndexOf('approved'));
    expect(afterAnswer.split('\r\n').filter((line) => /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏][^\r]*$/.test(line))).toEqual([]);
  });

  test('a question that was answered elsewhere closes', async () => {
    await using run = await new AskingRun([{}]).start();
    await run.terminal.until('your answer?');
    run.server.settle('int_1', { action: 'approve' }, 'act_other');
    expect(await run.terminal.exit).toBe(0);
    expect(run.terminal.text).toContain('The question was answered elsewhere');
    expect(run.terminal.text).toContain('"done"');
    expect(run.server.answers).toEqual([]);
  });

  test('Later keeps the run waiting and prints how to resume it', async () => {
    // 201 is more than one page of the list.
    for (const count of [1, 201]) {
      await using run = await new AskingRun(Array.from({ length: count }, () => ({}))).start();
      await run.choose(count === 1 ? 'your answer?' : '201 calls need your approval', 4);
      expect(await run.terminal.exit).toBe(3);
      expect(run.terminal.text).toContain('http://127.0.0.1:1/approvals/int_1');
      expect(run.terminal.text).toContain('executor resume --execution-id exe_1');
    }
  });

  test('the browser can be opened to answer', async () => {
    await using run = new AskingRun([{}]);
    const bin = join(run.path, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" > '${join(bin, 'opened')}'\n`);
    await chmod(join(bin, 'xdg-open'), 0o755);
    await run.start(['call', 'return 1'], { DISPLAY: ':0', PATH: `${bin}:${process.env.PATH}` });
    await run.choose('your answer?', 3);
    await run.terminal.until('waiting for an answer in the browser');
    expect(await readFile(join(bin, 'opened'), 'utf8')).toMatch(/#sign-in=code\n$/);
    run.server.settle('int_1', { action: 'approve' });
    expect(await run.terminal.exit).toBe(0);
  });

  test('--no-open does not offer the browser', async () => {
    await using run = await new AskingRun([{}]).start(['call', 'return 1', '--no-open']);
    const shown = await run.terminal.until('Later');
    expect(shown).not.toContain('browser');
    await run.terminal.until(/└/);
    run.terminal.type(ctrlC);
    await run.terminal.until('Press Ctrl-C again to cancel it');
    run.terminal.type(ctrlC);
    expect(await run.terminal.exit).toBe(130);
  });

  test('keys typed before a question appears do not answer it', async () => {
    await using run = new AskingRun([]);
    await run.start();
    await run.terminal.until('running');
    run.terminal.type(`${enter}${enter}yes${enter}`);
    run.server.ask({});
    // The second choice. An earlier Enter would have taken the first.
    await run.choose('your answer?', 1);
    expect(await run.terminal.exit).toBe(0);
    expect(run.server.answers.map(({ resolution }) => resolution)).toEqual([
      { action: 'approve', scope: 'identical' },
    ]);
  });

  test('control characters in the text of a run do not reach the terminal', async () => {
    const evil = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e';
    await using run = new AskingRun([
      { prompt: evil, tool: { path: `a.${evil}`, input: {}, effect: 'write' }, request: { [evil]: evil } },
    ]);
    run.server.end = { status: 'completed', result: { [evil]: evil } };
    await run.start();
    await run.terminal.until('your answer?');
    run.server.addEvent('log', { level: 'warn', text: evil });
    run.server.addEvent('call.requested', { index: 1, path: evil });
    await run.choose('Approve once', 0);
    expect(await run.terminal.exit).toBe(0);
    expect(run.terminal.text).toContain('\\u009b31m');
    for (const part of ['\u001b]0;', '\u001b[2J', '\u009b', '\u202e', '\u0007'])
      expect(run.terminal.raw, JSON.stringify(part)).not.toContain(part);
  });
});

describe('an answer without a response', () => {
  async function approving(server: StandIn) {
    await using home = new TestHome();
    return home.run(['approvals', 'approve', 'int_1'], await server.listen());
  }

  test("succeeds if the recorded answer is the user's own", async () => {
    await using server = new StandIn([{}]);
    server.losesAnswers = 1;
    expect(await approving(server)).toMatchObject({ code: 0, stdout: expect.stringContaining('approved') });
    expect(server.answers).toHaveLength(2);
  });

  test("fails if the recorded answer differs or is another user's", async () => {
    for (const [action, actor] of [
      ['deny', 'act_me'],
      ['approve', 'act_other'],
    ] as const) {
      await using server = new StandIn([{}]);
      server.losesAnswers = 1;
      const settle = server.settle.bind(server);
      server.settle = (id) => settle(id, { action }, actor);
      expect(await approving(server)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('It was answered before.'),
      });
    }
  });

  test('succeeds among several answers too', async () => {
    await using run = new AskingRun([{}, {}]);
    run.server.losesAnswers = 1;
    await run.start();
    await run.choose('2 calls need your approval', 0);
    await run.terminal.until('2 of 2 approved');
    expect(await run.terminal.exit).toBe(0);
  });
});

test('a question stays open when the timeout ends', async () => {
  await using run = await new AskingRun([{}]).start(['call', 'return 1', '--timeout', '2']);
  await run.terminal.until('your answer?');
  expect(await run.terminal.exit).toBe(3);
  expect(run.terminal.text).toContain('executor resume --execution-id exe_1');
  expect(run.server.answers).toEqual([]);
});

describe('Ctrl-C', () => {
  test('once leaves the run running and prints how to resume it', async () => {
    await using run = await new AskingRun([]).start();
    await run.terminal.until('running');
    run.terminal.type(ctrlC);
    await run.terminal.until('executor resume --execution-id exe_1');
    expect(await run.terminal.exit).toBe(130);
    expect(run.server.execution.status).toBe('waiting');
  });

  test('once leaves a question open', async () => {
    await using run = await new AskingRun([{}]).start();
    await run.terminal.until('your answer?');
    await run.terminal.until(/└/);
    run.terminal.type(ctrlC);
    await run.terminal.until('executor resume --execution-id exe_1');
    expect(await run.terminal.exit).toBe(130);
    expect(run.server.answers).toEqual([]);
  });

  test('twice cancels the run', async () => {
    await using run = await new AskingRun([{}]).start();
    await run.terminal.until('your answer?');
    await run.terminal.until(/└/);
    run.terminal.type(ctrlC);
    await run.terminal.until('Press Ctrl-C again to cancel it');
    run.terminal.type(ctrlC);
    expect(await run.terminal.exit).toBe(130);
    expect(run.terminal.text).toContain('The run is cancelled.');
    expect(run.server.execution.status).toBe('cancelled');
  });
});

describe('a run in progress', () => {
  test('shows the current call in the spinner and logs above it', async () => {
    await using run = await new AskingRun([]).start();
    run.server.addEvent('call.requested', { index: 0, path: 'demo.read' });
    await run.terminal.until('demo.read');
    run.server.addEvent('log', { level: 'log', text: 'half way' });
    await run.terminal.until('half way');
    run.server.addEvent('call.completed', { index: 0 });
    await run.terminal.until('running');
    run.server.finish();
    expect(await run.terminal.exit).toBe(0);
    expect(run.terminal.text).toMatch(/"done"\s*$/);
  });
});
