import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../test/random-script.ts';
import { encodeFromLane, parseFromLane } from '../messages/from-lane.ts';
import type { FromLane } from '../messages/messages.ts';
import { createImage, hostMethods } from './image.ts';
import { importMemory } from './imported-memory.ts';
import { LaneProgram } from './lane-program.ts';

/**
 * The prelude hides the host's functions from the code. Here it does not: the code calls them with arbitrary values, as code that broke the
 * prelude could.
 */
const long = process.env.EXECUTOR_TEST_LONG === '1';
const openPrelude = `Object.assign(__executor, {
  seed() {}, start(main) { main() }, deliver() {}, describeError: () => '{"name":"Error","message":"m","stack":""}',
})`;
const engine = readFileSync(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm'));
const image = createImage(importMemory(engine), openPrelude);
const limits = {
  memoryPages: 512,
  calls: 1e5,
  outstandingCalls: 1e3,
  callBytes: 1e5,
  callParts: 1e5,
  outstandingBytes: 1e6,
  logBytes: 1e5,
  resultBytes: 1e5,
};

const values = [
  'undefined',
  'null',
  'true',
  '0',
  '-1',
  'NaN',
  'Infinity',
  '2 ** 53',
  '1e308',
  '10n',
  '""',
  '"x"',
  '"returned"',
  '"log"',
  '"{}"',
  '"[[[["',
  '"\\ud800"',
  '"\\u0000"',
  '"x".repeat(1e6)',
  'Symbol()',
  '{}',
  '[]',
  '() => 1',
  'new Proxy({}, {})',
  'new Uint8Array(9)',
  '/x/',
  'globalThis',
  '{ toString() { throw 1 } }',
  '{ valueOf() { for (let i = 0; i < 1e3; i++); return 1 } }',
  'Object.create(null)',
  '"http://a/b"',
  '"%ff"',
  '"{\\"options\\":{\\"style\\":\\"currency\\"}}"',
  '"{\\"locales\\":\\"xx-invalid-locale-zz\\",\\"options\\":{}}"',
  '"utf-8"',
  '"constructor"',
];

function fuzzScript(seed: number): string {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const calls = Array.from({ length: 50 }, () => {
    const args = Array.from({ length: Math.floor(random() * 5) }, () => pick(values));
    const self = random() < 0.1 ? `.call(${pick(values)}${args.length ? ',' : ''}` : '(';
    return `try { __executor.${pick(hostMethods)}${self}${args.join(',')}) } catch {}`;
  });
  return `(async () => { ${calls.join('\n')} })`;
}

describe('the bridge', () => {
  test('answers arbitrary calls, and sends only valid messages', {
    timeout: 600_000,
  }, () => {
    const messages: FromLane[] = [];
    const lane = new LaneProgram(image, (message) => {
      const heard = parseFromLane(encodeFromLane(message));
      expect(heard).toEqual(message);
      messages.push(heard);
    });
    const runs = long ? 2_000 : 100;
    for (let run = 1; run <= runs; run++) {
      const slice = { cpuUs: 5_000_000 };
      lane.perform({ type: 'start', run, seed: 's', epoch: 0, limits, slice }, Buffer.from(fuzzScript(run)));
      lane.perform({ type: 'drop', run }, Buffer.alloc(0));
      const state = messages.findLast((message) => message.type === 'slice')?.state;
      expect(state?.type).toBeOneOf(['returned', 'threw', 'waiting', 'outOfMemory']);
    }
  });
});

describe('the server', () => {
  test('rejects every invalid message', () => {
    const random = seededRandom(3);
    const types = [
      'ready',
      'call',
      'log',
      'slice',
      'pages',
      'restored',
      'abandon',
      'constructor',
      '__proto__',
      '',
    ];
    const junk = [
      '',
      ' ',
      '0',
      '1',
      '-1',
      '1.5',
      'NaN',
      'Infinity',
      '1e999',
      '9007199254740992',
      'x',
      'null',
      '{}',
      '[]',
      'true',
      '"waiting"',
      '{"type":"constructor"}',
      '{"type":"threw"}',
      '{"type":"threw","error":{}}',
      '{"type":"unmade","index":-1}',
      '{"vm":{},"build":"b"}',
      '{{',
      '\t',
      '\n',
      '\u0000',
      '\ud800',
    ];
    const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)] as T;
    for (let round = 0; round < 20_000; round++) {
      const fields = Array.from({ length: Math.floor(random() * 7) }, () => pick(junk));
      expectRefusedOrSound([pick(types), ...fields].join('\t'));
    }
    for (const head of ['', '\t', '\t\t\t\t', 'call', 'call\t1\t1\t1'])
      expect(() => parseFromLane(head)).toThrow();
  });
});

function expectRefusedOrSound(head: string): void {
  try {
    const message = parseFromLane(head);
    for (const [name, value] of Object.entries(message)) {
      if (typeof value === 'number') expect(value, name).toBeGreaterThanOrEqual(name === 'at' ? -1 : 0);
    }
    if (message.type === 'slice') expect(message.state.type).toBeOneOf(['waiting', 'returned', 'timedOut']);
    if (message.type === 'log') expect.fail('No line of junk has a level.');
    if (message.type === 'pages') expect.fail('No page of junk has registers.');
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
  }
}

describe('memory of another build', () => {
  test('is refused, like damaged memory', () => {
    const messages: FromLane[] = [];
    let pages: Uint8Array = Buffer.alloc(0);
    const lane = new LaneProgram(image, (message, body) => {
      messages.push(message);
      if (message.type === 'pages' && body) pages = body;
    });
    const slice = { cpuUs: 1_000_000 };
    const code = '(async () => { __executor.call("a", "{}") })';
    lane.perform({ type: 'start', run: 1, seed: 's', epoch: 0, limits, slice }, Buffer.from(code));
    lane.perform({ type: 'evict', run: 1 }, Buffer.alloc(0));
    const kept = messages.findLast((message) => message.type === 'pages');
    if (kept?.type !== 'pages') throw new Error('There are no pages.');
    const restore = (build: string, body: Uint8Array) => {
      lane.perform({ type: 'restore', run: 2, vm: kept.vm, limits, build }, Buffer.from(body));
      lane.perform({ type: 'drop', run: 2 }, Buffer.alloc(0));
      return messages.findLast((message) => message.type === 'restored');
    };
    expect(restore(kept.build, pages)).toEqual({ type: 'restored', run: 2, ok: true });
    expect(restore('another', pages)).toEqual({ type: 'restored', run: 2, ok: false });
    expect(restore(kept.build, pages.subarray(0, 100))).toEqual({ type: 'restored', run: 2, ok: false });
  });
});
