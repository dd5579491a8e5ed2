import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@executor/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestHome } from './home.ts';
import { keys, Terminal } from './terminal.ts';

const home = new TestHome();
beforeAll(async () => home.json('up'));
afterAll(async () => home[Symbol.asyncDispose]());

const put = (text: string) => `return await tools.executor.artifacts.put({ text: '${text}' })`;

/** Waits until a run has the status. */
async function reaches(id: string, status: string): Promise<void> {
  await expect
    .poll(async () => (await home.client.executions.get({ id })).status, { timeout: 20_000 })
    .toBe(status);
}

/** Starts a run that waits for an approval. Returns the ids of the run and of the question. */
async function waitingRun(code: string): Promise<{ id: string; question: string }> {
  const { id } = await home.client.executions.create({ code });
  await reaches(id, 'waiting');
  const { interactions } = await home.client.executions.get({ id });
  return { id, question: interactions[0]?.id as string };
}

async function resultOf(id: string): Promise<unknown> {
  return (await home.client.executions.wait({ id, waitMs: 60_000 })).result;
}

/** Code that waits until the test calls `release`. */
const untilReleased = `while ((await tools.executor.policies.list({})).items.every(({ pattern }) => pattern !== 'go.on')) await sleep(50);`;

/** Lets the waiting runs continue while `during` runs. */
async function release<Result>(during: () => Promise<Result>): Promise<Result> {
  const { id } = await home.client.policies.create({ pattern: 'go.on', decision: 'deny' });
  try {
    return await during();
  } finally {
    await home.client.policies.remove({ id });
  }
}

describe('call', () => {
  test('the result is JSON on standard output, and logs are on standard error', async () => {
    expect(await home.run(['call', "console.log('working'); return { sum: 1 + 1, list: [1] }"])).toEqual({
      code: 0,
      stdout: '{"sum":2,"list":[1]}\n',
      stderr: 'working\n',
    });
  });

  test('code is read from a file, standard input or an argument', async () => {
    const file = join(home.path, 'script.ts');
    await writeFile(file, 'const answer: number = 42;\nreturn answer;\n');
    expect((await home.run(['call', '--file', file])).stdout).toBe('42\n');
    for (const args of [['call', '-'], ['call', '--stdin'], ['call']])
      expect((await home.start(args, { input: 'return "piped"' }).ended).stdout).toBe('"piped"\n');
  });

  test('wrong usage ends with 2 and runs nothing', async () => {
    const cases: [string[], string][] = [
      [['call'], 'contains no code'],
      [['call', 'return 1', '--file', 'x.ts'], 'not several of them'],
      [['call', '--file', join(home.path, 'none.ts')], 'there is no such file'],
      [['call', 'return 1', '--timeout', 'soon'], '--timeout must be a number of seconds, got "soon"'],
      [['call', 'return 1', '--runtime', 'quickjz'], 'quickjs'],
      [['resume'], 'Choose a run'],
      [['presence', 'passkey'], 'not available yet'],
      [['presence', 'pin'], 'at a terminal'],
      [['policy', 'add', 'a.b', 'maybe'], 'got "maybe"'],
      [['policy', 'add', 'a.b', 'allow', '--when', 'nothing'], 'A condition is field=value, field=one,other'],
      [['policy', 'add', 'a..b', 'allow'], 'pattern'],
      [['approvals', 'approve'], 'or --all'],
      [['approvals', 'approve', '--all'], 'Add --yes'],
      [['approvals', 'answer', 'int_x', '--data', 'x'], '--data must be JSON'],
      [['executions', 'ls', '--limit', 'all'], '--limit must be a number from 1 to 200'],
      [['executions', 'shw', 'exe_x'], "unknown command 'shw' of 'executions'. Did you mean show?"],
    ];
    const outcomes = await home.runSeveral(cases.map(([args]) => args));
    for (const [index, [args, message]] of cases.entries())
      expect({ args, ...outcomes[index] }).toEqual({
        args,
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(message),
      });
  });

  test('a failed run ends with 1 and shows the position', async () => {
    const { code, stdout, stderr } = await home.run([
      'call',
      'const a = 1;\nthrow new TypeError("no good");',
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^TypeError: no good \(line 2, column \d+\)\n/);
    expect(stderr).toMatch(/throw new TypeError\("no good"\);\n.*\^/);
    expect(await home.run(['call', 'return 1 +'])).toMatchObject({ code: 1, stdout: '' });
  });

  test('calls that the code did not await are listed on standard error, failures first', async () => {
    const code = `tools.executor.policies.list({});
      tools.executor.artifacts.read({ id: 'art_none' });
      setTimeout(() => {}, 1e9);
      return 1`;
    const { code: exit, stdout, stderr } = await home.run(['call', code]);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: '1\n' });
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^not awaited: executor\.artifacts\.read \(line 2\) failed: .*art_none/),
      'not awaited: executor.policies.list (line 1) succeeded',
      'not awaited: setTimeout (line 3) had not fired when the run ended',
    ]);
    const [run] = (await home.client.executions.list({ limit: 1 })).items;
    const shown = await home.run(['executions', 'show', run?.id ?? '']);
    expect(shown.stdout).toContain('\nnot awaited: executor.policies.list (line 1) succeeded\n');
  });

  test('hints about a result are printed beside it, and shown with the run', async () => {
    const { stdout, stderr } = await home.run([
      'call',
      'const rules = await tools.executor.policies.list();',
    ]);
    expect(stdout).toBe('null\n');
    expect(stderr).toMatch(/^hint: .*return/);
    const [run] = (await home.client.executions.list({ limit: 1 })).items;
    const shown = await home.run(['executions', 'show', run?.id ?? '']);
    expect(shown.stdout).toMatch(/\nhint: .*return/);
  });

  test('code with type errors runs only with --no-typecheck, and type warnings are printed beside the result', async () => {
    const wrong = 'return await tools.executor.artifacts.put({ txt: "x" })';
    const refused = await home.run(['call', wrong]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^TypeError: executor\.artifacts\.put: .* \(line 1, column \d+\)\ntools\./,
    );
    expect((await home.run(['call', '--no-typecheck', wrong])).stderr).toMatch(/^ToolError: .*is unknown/);
    expect(await home.run(['call', 'return (await tools.describe.namespace({})).totl'])).toEqual({
      code: 0,
      stdout: 'null\n',
      stderr: expect.stringMatching(
        /^types: Property 'totl' does not exist on type .* \(line 1, column \d+\)\n$/,
      ),
    });
  });

  test('--json prints the whole execution, even if it failed', async () => {
    const { code, stdout } = await home.run([
      'call',
      '--json',
      '--client',
      'cli-test',
      'throw new Error("x")',
    ]);
    expect({ code, execution: JSON.parse(stdout) }).toMatchObject({
      code: 1,
      execution: { id: expect.stringMatching(/^exe_/), status: 'failed', clientId: 'cli-test' },
    });
  });

  test('--detach prints the id while the run continues', async () => {
    const { code, stdout } = await home.run(['call', '--detach', 'await sleep(300); return "later"']);
    expect(code).toBe(0);
    expect((await home.run(['resume', '--execution-id', stdout.trim()])).stdout).toBe('"later"\n');
  });

  test('a second call with the same idempotency key returns the first run', async () => {
    const call = () => home.json('call', '--idempotency-key', 'once', 'return Math.random()');
    expect((await call()).id).toBe((await call()).id);
  });

  test('--timeout limits the wait, not the run', async () => {
    const code = `console.log("waiting"); ${untilReleased} return "done"`;
    const { code: exit, stdout, stderr } = await home.run(['call', code, '--timeout', '0.5']);
    expect(exit).toBe(5);
    expect(stderr).toMatch(/has not finished\. It is (running|waiting), and continues without you\./);
    const { executionId } = JSON.parse(stdout);
    expect(stderr).toContain(`executor resume --execution-id ${executionId}`);
    expect(await release(() => home.run(['resume', executionId]))).toEqual({
      code: 0,
      stdout: '"done"\n',
      stderr: 'waiting\n',
    });
  });

  test('logs are printed while the code runs', async () => {
    const call = home.start(['call', `console.log("first"); ${untilReleased} console.log("last")`]);
    await call.untilError('first\n');
    expect(await release(() => call.ended)).toMatchObject({ code: 0, stderr: 'first\nlast\n' });
  });
});

describe('approvals', () => {
  beforeAll(async () =>
    home.client.policies.create({ pattern: 'executor.artifacts.put', decision: 'requireApproval' }),
  );

  test('a piped call that needs approval ends with 3, prints how to continue, and can be resumed', async () => {
    const { code, stdout, stderr } = await home.run(['call', put('a')]);
    const waiting = JSON.parse(stdout);
    expect({ code, waiting }).toMatchObject({
      code: 3,
      waiting: {
        status: 'waiting',
        interactions: [{ kind: 'approval', url: expect.stringMatching(/^http/) }],
      },
    });
    expect(stderr).toContain(waiting.interactions[0].url);
    expect(stderr).toContain(`executor resume --execution-id ${waiting.executionId}\n`);
    expect((await home.run(['resume', '--execution-id', waiting.executionId])).code).toBe(3);

    const question = waiting.interactions[0].id;
    expect((await home.run(['approvals'])).stdout).toMatch(
      new RegExp(`${question} +approval +executor\\.artifacts\\.put +just now +${waiting.executionId}`),
    );
    const shown = (await home.run(['approvals', 'show', question])).stdout;
    for (const part of ['text          a', 'approvals approve or deny', 'may have any value'])
      expect(shown).toContain(part);
    expect(await home.run(['approvals', 'approve', question])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${question}  executor.artifacts.put: approved`),
    });
    const resumed = await home.run(['resume', '--execution-id', waiting.executionId]);
    expect({ code: resumed.code, result: JSON.parse(resumed.stdout) }).toMatchObject({
      code: 0,
      result: { bytes: 1 },
    });
    expect((await home.run(['approvals'])).stdout).toBe('No questions are pending.\n');
  });

  test('are listed by key and run', async () => {
    const { id: own } = await waitingRun(put('mine'));
    const key = await home.client.apiKeys.create({ name: 'editor', kind: 'agent' });
    const editor = createClient({ url: home.daemon.url, token: key.key });
    const both = `await Promise.all(['a', 'b'].map((text) => tools.executor.artifacts.put({ text })))`;
    const { id: theirs } = await editor.executions.create({ code: both, waitMs: 20_000 });
    const { stdout } = await home.run(['approvals']);
    expect(stdout.split('\n\n').map((group) => group.split('\n').filter((line) => line !== ''))).toEqual([
      [
        expect.stringMatching(/^A user’s own runs \(act_\w+\), 1 question$/),
        expect.stringMatching(/^ID .* RUN/),
        expect.stringContaining(own),
      ],
      [
        `editor (${key.id}), 2 questions`,
        expect.stringMatching(/^ID .* RUN/),
        expect.stringContaining(theirs),
        expect.stringContaining(theirs),
      ],
    ]);
    const { items } = await home.json('approvals', '--execution', theirs);
    const askedBy = { kind: 'agent', ownerId: key.id, keyName: 'editor' };
    expect(items).toMatchObject([{ askedBy }, { askedBy }]);
    for (const id of [own, theirs]) await home.client.executions.cancel({ id });
  });

  test('a denial reaches the code with its reason', async () => {
    const { id, question } = await waitingRun(
      `try { ${put('b')} } catch (error) { return [error.name, error.message] }`,
    );
    await home.json('approvals', 'deny', question, '--reason', 'not on a Friday');
    expect(await resultOf(id)).toEqual(['ToolDeniedError', expect.stringContaining('not on a Friday')]);
  });

  test('an approved call that a new rule denies is reported as not sent', async () => {
    const { id, question } = await waitingRun(`try { ${put('late')} } catch (error) { return error.name }`);
    const conditions = [{ field: 'text', equals: 'late' }];
    const rule = await home.client.policies.create({
      pattern: 'executor.artifacts.put',
      conditions,
      decision: 'deny',
    });
    expect(await home.run(['approvals', 'approve', question])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`approved. The call was not sent. Rule ${rule.id}`),
    });
    expect(await resultOf(id)).toBe('ToolDeniedError');
    await home.client.policies.remove({ id: rule.id });
  });

  test('a second answer changes nothing and names who gave the first', async () => {
    const { question } = await waitingRun(put('c'));
    await home.client.interactions.resolve({ id: question, action: 'approve' });
    expect(await home.run(['approvals', 'deny', question])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/You approved it at \S+ That stands; this answer changed nothing\./),
    });
  });

  test('approvals of one run are listed together and answered together', async () => {
    const five = `return (await Promise.all([1, 2, 3, 4, 5].map((n) => tools.executor.artifacts.put({ text: 'n' + n })))).length`;
    const { id } = await waitingRun(five);
    const { items } = await home.json('approvals', 'ls', '--execution', id);
    const texts = items.map((item: { tool: { input: { text: string } } }) => item.tool.input.text);
    expect(texts).toEqual(['n1', 'n2', 'n3', 'n4', 'n5']);
    expect((await home.json('approvals', 'approve', '--all', '--yes')).items).toHaveLength(5);
    expect(await resultOf(id)).toBe(5);
  });

  test('identical calls are approved together', async () => {
    const twice = `const same = () => tools.executor.artifacts.put({ text: 'same' }); await Promise.all([same(), same()]); await same(); return 'all'`;
    const { id } = await waitingRun(twice);
    const { items } = await home.client.interactions.list({ status: 'pending', executionId: id });
    const [first = '', second] = items.map((item) => item.id);
    expect((await home.run(['approvals', 'approve', first, '--all-identical'])).stdout).toContain(
      `approved, and with it ${second}`,
    );
    expect(await resultOf(id)).toBe('all');
  });

  test('--remember adds the narrowest rule and shows it', async () => {
    const { id, question } = await waitingRun(put('remembered'));
    expect((await home.run(['approvals', 'approve', question, '--remember'])).stderr).toMatch(
      /From now on: allow executor\.artifacts\.put when text=remembered.*\n.*may have any value\./,
    );
    await resultOf(id);
    const again = await home.client.executions.create({ code: put('remembered') });
    expect(await resultOf(again.id)).toMatchObject({ bytes: 10 });
    const { items } = await home.client.policies.list();
    await home.client.policies.remove({
      id: items.find(({ decision }) => decision === 'allow')?.id as string,
    });
  });

  test('resume --last takes the newest waiting run and asks at a terminal', async () => {
    const { id } = await waitingRun(put('last'));
    const terminal = new Terminal(['resume', '--last'], home.env);
    await terminal.until(`Resuming ${id}`);
    expect(await terminal.until(/your answer\?.*└/s)).toContain('text          last');
    terminal.type(keys.enter);
    expect(await terminal.exit).toBe(0);
    expect(terminal.text).toContain('"bytes": 4');
  });

  test('an agent is not asked, and gets the URL where a user can answer', async () => {
    const { url } = home.daemon;
    const { key } = await home.client.apiKeys.create({ name: 'agent' });
    const { code, stderr } = await home.run(['call', put('agent')], {
      EXECUTOR_URL: url,
      EXECUTOR_TOKEN: key,
    });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(`${url}/approvals/`) });
    const terminal = new Terminal(['call', put('agent')], {
      ...home.env,
      EXECUTOR_URL: url,
      EXECUTOR_TOKEN: key,
    });
    expect(await terminal.exit).toBe(3);
    await home.json('approvals', 'deny', '--all', '--yes');
  });
});

describe('a watched run', () => {
  test('survives a restart of the daemon together with its watcher', async () => {
    const code = `console.log("before"); ${untilReleased} console.log("after"); return "both"`;
    const call = home.start(['call', code]);
    await call.untilError('before');
    await home.json('restart');
    const { code: exit, stdout, stderr } = await release(() => call.ended);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: '"both"\n' });
    expect(stderr.replace(/^The server does not answer.*\n/gm, '')).toBe('before\nafter\n');
  });

  test('survives a crash of the daemon', async () => {
    const call = home.start(['call', `console.log("before"); ${untilReleased} return "both"`]);
    await call.untilError('before');
    await home.killDaemon();
    await home.json('up');
    expect(await release(() => call.ended)).toMatchObject({ code: 0, stdout: '"both"\n' });
  });

  test('keeps its open question when the daemon crashes', async () => {
    await home.client.policies.create({
      pattern: 'executor.artifacts.put',
      conditions: [{ field: 'text', equals: 'open' }],
      decision: 'requireApproval',
    });
    const terminal = new Terminal(['call', put('open')], home.env);
    await terminal.until(/your answer\?.*└/s);
    await home.killDaemon();
    await home.json('up');
    terminal.type(keys.enter);
    expect(await terminal.exit).toBe(0);
    expect(terminal.text).toContain('"bytes": 4');
  });

  test('continues after one interrupt and is cancelled by a second', async () => {
    const code = `console.log("on"); ${untilReleased} return "finished"`;
    const first = home.start(['call', code]);
    await first.untilError('on');
    first.interrupt();
    const left = await first.ended;
    expect(left).toMatchObject({ code: 130, stdout: '' });
    const [, id = ''] = /--execution-id (\S+)/.exec(left.stderr) ?? [];
    expect(await release(() => resultOf(id))).toBe('finished');

    const second = home.start(['call', code]);
    await second.untilError('on');
    second.interrupt();
    await second.untilError('--execution-id');
    second.interrupt();
    const { code: exit, stderr } = await second.ended;
    expect({ exit, stderr }).toEqual({ exit: 130, stderr: expect.stringContaining('The run is cancelled.') });
  });
});

test('a large result is printed whole to a pipe and stored as an artifact', async () => {
  const { stdout, stderr } = await home.run(['call', 'return "x".repeat(100_000)']);
  expect({ result: JSON.parse(stdout).length, stderr }).toEqual({ result: 100_000, stderr: '' });
  const { items } = await home.client.executions.list({ limit: 1 });
  const { omitted } = await home.client.executions.get({ id: items[0]?.id as string });
  const got = await home.run(['artifacts', 'get', omitted?.result?.artifactId as string]);
  expect(JSON.parse(got.stdout)).toHaveLength(100_000);
});

describe('executions', () => {
  test('are listed, shown, followed and replayed', async () => {
    const code = 'console.log("hello"); return await tools.executor.policies.list({})';
    const { id } = await home.client.executions.create({ code, clientId: 'listed' });
    await reaches(id, 'completed');
    expect((await home.run(['executions', 'ls', '--client', 'listed'])).stdout).toMatch(
      new RegExp(`${id} +completed +just now +\\d+ ms +listed +console\\.log`),
    );
    expect((await home.run(['executions', 'ls', '--client', 'nobody'])).stdout).toBe('No run matches.\n');
    expect((await home.run(['executions', '--limit', '1'])).stderr).toMatch(/add --cursor \S+/);
    const shown = (await home.run(['executions', 'show', id])).stdout;
    for (const part of ['completed', 'policies.list({})', 'executor.policies.list', 'hello', 'Result'])
      expect(shown).toContain(part);
    expect((await home.json('executions', 'show', id)).calls).toMatchObject([
      { path: 'executor.policies.list', status: 'succeeded' },
    ]);
    const events = (await home.run(['executions', 'events', id, '--json'])).stdout.trim().split('\n');
    const types = events.map((line) => JSON.parse(line).type);
    expect([types[0], types.at(-1)]).toEqual(['execution.created', 'execution.completed']);
    const last = JSON.parse(events.at(-2) as string).id;
    const rest = await home.run(['executions', 'events', id, '--after', last, '--follow']);
    expect(rest.stdout).toMatch(/^ +\d+ {2}[\d:.]+ {2}execution\.completed\n$/);
    expect(await home.run(['executions', 'replay', id])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^✓ Replayed 1 call and 1 answer from the journal: .* ended the same\./),
    });
  });

  test('are followed while they run', async () => {
    const { id } = await home.client.executions.create({ code: `${untilReleased} return 1` });
    const follower = home.start(['executions', 'events', id, '-f']);
    await follower.untilOutput('timer.set');
    const { stdout } = await release(() => follower.ended);
    expect(stdout).toMatch(/execution\.created.*timer\.set.*execution\.completed\n$/s);
  });

  test('are cancelled, once', async () => {
    const { id } = await home.client.executions.create({ code: 'await sleep(60_000)' });
    await reaches(id, 'waiting');
    expect((await home.run(['executions', 'cancel', id])).stdout).toBe('The run is cancelled.\n');
    expect(await home.run(['resume', id])).toMatchObject({ code: 1, stderr: 'The run was cancelled.\n' });
    const done = await home.client.executions.create({ code: 'return 1' });
    await reaches(done.id, 'completed');
    expect((await home.run(['executions', 'cancel', done.id])).stdout).toContain(
      'The run had already completed',
    );
  });

  test('an unknown id is reported with the nearest known one', async () => {
    const { id } = await home.client.executions.create({ code: 'return 1' });
    const typo = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
    const commands = ['show', 'events', 'cancel', 'replay'].map((command) => ['executions', command, typo]);
    for (const outcome of await home.runSeveral([...commands, ['resume', typo]]))
      expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining(`Did you mean ${id}?`) });
  });
});

describe('policy', () => {
  test('rules are added, listed, explained and removed', async () => {
    const added = await home.json(
      ...['policy', 'add', 'demo.*.send', 'require-approval', '--when', 'to^=team@', '--when', 'kind=a,b'],
      ...['--client', 'cursor', '--note', 'ours', '--force'],
    );
    expect(added).toMatchObject({
      pattern: 'demo.*.send',
      decision: 'requireApproval',
      scope: { type: 'client', clientId: 'cursor' },
      conditions: [
        { field: 'to', prefix: 'team@' },
        { field: 'kind', oneOf: ['a', 'b'] },
      ],
      note: 'ours',
    });
    expect((await home.run(['policy'])).stdout).toMatch(
      new RegExp(`${added.id} +ask +demo\\.\\*\\.send +to\\^=team@ and kind=a,b +the client cursor`),
    );
    expect((await home.run(['policy', 'rm', added.id])).stdout).toBe(`Removed ${added.id}.\n`);
    expect(await home.run(['policy', 'rm', added.id])).toMatchObject({ code: 1 });
  });

  test('a rule that matches no tool or field needs --force', async () => {
    const put = 'executor.artifacts.put';
    const [noTool, noField, forced] = await home.runSeveral([
      ['policy', 'add', 'executor.artifcts.*', 'deny'],
      ['policy', 'add', put, 'deny', '--when', 'txt=x'],
      ['policy', 'add', 'later.**', 'deny', '--force'],
    ]);
    const meant = 'Did you mean executor.artifacts.*? The rule was not saved. Add --force';
    expect(noTool).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(meant) });
    const field = `${put} has no field txt. Did you mean text?`;
    expect(noField).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(field) });
    expect(forced).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('deny later.**'),
      stderr: expect.stringContaining('Warning: No tool matches later.**.'),
    });
    const { items } = await home.client.policies.list({});
    const later = items.filter(({ decision }) => decision === 'deny');
    expect(later.map(({ pattern }) => pattern)).toEqual(['later.**']);
    const id = later[0]?.id ?? '';
    const edit = ['policy', 'edit', id, '--pattern', 'executor.artifacts.putt'];
    expect(await home.run(edit)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Did you mean ${put}?`),
    });
    await home.client.policies.remove({ id });
  });

  test('edit changes only the named parts of a rule', async () => {
    const put = 'executor.artifacts.put';
    const { id } = await home.json('policy', 'add', put, 'allow', '--when', 'name=a', '--note', 'old');
    const edited = await home.json(
      ...['policy', 'edit', id, '--decision', 'ask', '--when', 'name!=b', '--when', 'text exists'],
    );
    expect(edited).toMatchObject({
      id,
      pattern: put,
      decision: 'requireApproval',
      conditions: [
        { field: 'name', notEquals: 'b' },
        { field: 'text', exists: true },
      ],
      note: 'old',
    });
    const [shown, nothing, unknown] = await home.runSeveral([
      ['policy', 'edit', id, '--no-when'],
      ['policy', 'edit', id],
      ['policy', 'edit', 'pol_none', '--note', 'x'],
    ]);
    expect(shown?.stdout).toBe(`Changed ${id}: ask ${put}\n`);
    expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing to change') });
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no policy') });
    await home.client.policies.remove({ id });
  });

  test('explain names the deciding rule', async () => {
    const strict = await home.json('policy', 'add', 'executor.artifacts.put', 'deny', '--when', 'text=x');
    const [denied, unknown, other] = await home.runSeveral([
      ['policy', 'explain', 'executor.artifacts.put', '{"text":"x"}'],
      ['policy', 'explain', 'no.such.tool'],
      ['policy', 'explain', 'executor.artifacts.put', '{"text":"y"}', '--json'],
    ]);
    expect(denied?.stdout).toMatch(/^deny executor\.artifacts\.put/);
    expect(denied?.stdout).toContain(`Rule: ${strict.id}`);
    expect(unknown?.stdout).toContain('There is no tool');
    expect(JSON.parse(other?.stdout ?? '').decision).toBe('requireApproval');
    await home.client.policies.remove({ id: strict.id });
  });
});

describe('presence', () => {
  test('a PIN that was set at a terminal is required afterwards', async () => {
    expect((await home.run(['presence'])).stdout).toContain('Presence is off');
    const terminal = new Terminal(['presence', 'pin'], home.env);
    for (const [message, typed] of [
      [/The new PIN.*└/s, '12'],
      ['It must be 4 to 12 digits.', '271828'],
      [/Repeat the PIN.*└/s, '271828'],
    ] as const) {
      await terminal.until(message);
      terminal.type(typed + keys.enter);
    }
    expect(await terminal.exit).toBe(0);
    expect(terminal.raw).not.toContain('271828');
    expect(await home.json('presence')).toEqual({ mode: 'pin' });

    const add = ['policy', 'add', 'executor.artifacts.put', 'deny', '--when', 'text=never'];
    expect(await home.run(add)).toMatchObject({ code: 1, stderr: expect.stringContaining('EXECUTOR_PIN') });
    expect(await home.run(add, { EXECUTOR_PIN: '111111' })).toMatchObject({ code: 1 });
    expect(await home.run(add, { EXECUTOR_PIN: '271828' })).toMatchObject({ code: 0 });
    expect((await home.run(['keys', 'create', 'x'])).code).toBe(1);
    expect((await home.run(['call', 'return 1'])).code).toBe(0);

    const off = new Terminal(['presence', 'off'], home.env);
    await off.until(/Enter your PIN.*└/s);
    off.type(`271828${keys.enter}`);
    expect(await off.exit).toBe(0);
    expect((await home.run(add)).code).toBe(0);
  });
});
