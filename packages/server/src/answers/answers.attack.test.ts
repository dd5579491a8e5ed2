import { gzipSync } from 'node:zlib';
import type { Execution } from '@executor/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AnsweringApi, answerJson } from '../../test/answering-api.ts';
import { call, startTestServer, type TestServer } from '../../test/server.ts';

const long = process.env.EXECUTOR_TEST_LONG === '1';
const megabyte = 1_000_000;

/** A JSON list of about this size. */
function list(bytes: number): Buffer {
  const item = `{"id":1,"name":"${'x'.repeat(980)}"}`;
  return Buffer.from(
    `[${Array(Math.floor(bytes / 1_000))
      .fill(item)
      .join(',')}]`,
  );
}

const api = new AnsweringApi();
let server: TestServer;
let trickles = 0;
let stopTrickling = () => {};

beforeAll(async () => {
  const { answers } = api;
  answers.set('tenMegabytes', answerJson(list(10 * megabyte)));
  answers.set('fiveMegabytes', answerJson(list(5 * megabyte)));
  answers.set('sevenMegabytes', answerJson(list(7 * megabyte)));
  answers.set('ninety', answerJson(list(0.9 * megabyte)));
  answers.set('small', answerJson(Buffer.from('{"ok":true}')));
  answers.set('tinyObjects', answerJson(Buffer.from(`[${'{},'.repeat(3_300_000)}{}]`)));
  answers.set('deep', answerJson(Buffer.from('['.repeat(2 * megabyte))));
  const bomb = gzipSync(Buffer.alloc(200 * megabyte, 0x20));
  answers.set('bomb', answerJson(bomb, { 'content-encoding': 'gzip' }));
  answers.set('trickle', (_, response) => {
    trickles += 1;
    response.writeHead(200, { 'content-type': 'application/json' }).write(list(2 * megabyte).subarray(0, -1));
    const timer = setInterval(() => response.write(' '), 50);
    const stop = stopTrickling;
    stopTrickling = () => {
      stop();
      clearInterval(timer);
      response.end(']');
    };
  });
  const url = await api.listen();
  server = await startTestServer({}, { realSources: true });
  const source = { document: api.document(), namespace: 'big', baseUrl: url, allowPrivateNetwork: true };
  const added = await call(server, 'POST', '/v1/sources', { token: server.localToken, body: source });
  expect(added).toMatchObject({ status: 201 });
});
afterAll(async () => {
  stopTrickling();
  await server[Symbol.asyncDispose]();
  await api.close();
});

async function newAgent(name: string): Promise<string> {
  return (await call(server, 'POST', '/v1/api-keys', { token: server.localToken, body: { name } })).json.key;
}

async function run(token: string, code: string): Promise<Execution> {
  const started = await call(server, 'POST', '/v1/executions', {
    token,
    body: { code, typecheck: false, waitMs: 120_000 },
  });
  expect({ status: started.status, error: started.json?.error }).toEqual({ status: 201, error: undefined });
  return started.json;
}

/** Code that makes calls at the same time, and says what each of them got. */
const callAll = (name: string, count: number) => `
  const shown = (answer) => Array.isArray(answer) ? answer.length : { ...answer, message: answer.message };
  return Promise.all(Array.from({ length: ${count} }, () => tools.big.get.${name}({}).then(shown, shown)));`;

/** The largest number of bytes that this process had beyond those at the start. */
function watchMemory(): () => number {
  const used = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = used();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, used());
  }, 5);
  return () => {
    clearInterval(timer);
    return peak - before;
  };
}

/** The limits of all answers in memory together allow 384 MB; garbage that is not collected yet comes on top. */
const maxGrowth = 600 * megabyte;

test('Many answers of 10 MB arrive as artifacts within bounded memory, while a neighbour reads', async () => {
  const [heavy, neighbour] = await Promise.all([newAgent('heavy'), newAgent('neighbour')]);
  const grown = watchMemory();
  let isDone = false;
  const runs = Promise.all(
    Array.from({ length: long ? 8 : 2 }, () => run(heavy, callAll('tenMegabytes', 8))),
  ).then((all) => {
    isDone = true;
    return all;
  });
  const small = await run(neighbour, 'return tools.big.get.small({})');
  expect(small).toMatchObject({ status: 'completed', result: { ok: true } });
  expect(isDone).toBe(false);
  const answers = (await runs).flatMap(({ result }) => result as object[]);
  for (const answer of answers)
    expect(answer).toMatchObject({
      type: 'artifact',
      id: expect.stringMatching(/^art_/),
      mediaType: 'application/json',
      message: expect.stringMatching(/8388608 as a value.*executor\.artifacts\.read\({ id, as: "text"/),
    });
  expect(answers).toHaveLength(long ? 64 : 16);
  expect(grown()).toBeLessThan(maxGrowth);
});

test('Answers over 1 MB are values, and those beyond the journal are artifacts', async () => {
  const agent = await newAgent('values');
  const grown = watchMemory();
  const one = await run(agent, 'return (await tools.big.get.sevenMegabytes({})).length');
  expect(one).toMatchObject({ status: 'completed', result: 7_000 });
  const { status, result } = await run(agent, callAll('ninety', long ? 200 : 80));
  const kinds = (result as (number | { type: string })[]).map((answer) =>
    typeof answer === 'number' ? 'value' : answer.type,
  );
  expect(status).toBe('completed');
  expect(new Set(kinds)).toEqual(new Set(['value', 'artifact']));
  expect(grown()).toBeLessThan(maxGrowth);
});

test('A compressed bomb, millions of tiny objects and deep nesting end as errors and artifacts', async () => {
  const agent = await newAgent('bombs');
  const grown = watchMemory();
  const [bomb, tiny, deep] = await Promise.all(
    ['bomb', 'tinyObjects', 'deep'].map((name) => run(agent, callAll(name, 4))),
  );
  expect(bomb?.result).toMatchObject(
    Array(4).fill({ message: expect.stringContaining('larger than the limit') }),
  );
  expect(tiny?.result).toMatchObject(Array(4).fill({ type: 'artifact', bytes: 9_900_004 }));
  expect(deep?.result).toMatchObject(
    Array(4).fill({ message: expect.stringContaining('nested too deeply') }),
  );
  expect(grown()).toBeLessThan(maxGrowth);
});

test('Answers that trickle do not delay the large answers of another key', async () => {
  const [slow, other] = await Promise.all([newAgent('slow'), newAgent('other')]);
  const trickling = run(slow, callAll('trickle', 20));
  await expect.poll(() => trickles).toBeGreaterThan(4);
  expect(await run(other, 'return (await tools.big.get.fiveMegabytes({})).length')).toMatchObject({
    result: 5_000,
  });
  const usage = server.engine.resources.usage().find(({ name }) => name === 'largeAnswerBytes');
  expect(usage?.byAgents).toBeGreaterThan(0);
  const release = setInterval(() => stopTrickling(), 20);
  expect((await trickling).result).toEqual(Array(20).fill(2_000));
  clearInterval(release);
});

test('A run that read many large answers is rebuilt after a restart, and gives its memory back', async () => {
  const agent = await newAgent('rebuilt');
  const asked = new Promise<void>((resolve) => {
    api.answers.set('small', (request, response) => {
      resolve();
      // The first process never gets an answer.
      request.socket.once('close', () => answerJson(Buffer.from('{"ok":true}'))(request, response));
      api.answers.set('small', answerJson(Buffer.from('{"ok":true}')));
    });
  });
  const code = `
    const lengths = [];
    for (let i = 0; i < 7; i++) lengths.push((await tools.big.get.sevenMegabytes({})).length);
    await tools.big.get.small({});
    return lengths;`;
  const { json } = await call(server, 'POST', '/v1/executions', {
    token: agent,
    body: { code, typecheck: false },
  });
  await asked;
  await server.restart();
  const grown = watchMemory();
  const ended = await call(server, 'POST', `/v1/executions/${json.id}/wait`, {
    token: agent,
    body: { waitMs: 120_000 },
  });
  expect(ended.json).toMatchObject({ status: 'completed', result: Array(7).fill(7_000) });
  expect(grown()).toBeLessThan(maxGrowth);
  const held = () =>
    server.engine.resources
      .usage()
      .filter(({ name }) => ['calls', 'answerBytes', 'largeAnswerBytes'].includes(name))
      .map(({ used }) => used);
  await expect.poll(held).toEqual([0, 0, 0]);
});
