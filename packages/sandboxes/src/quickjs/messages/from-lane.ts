import { maxUnawaited } from '../prelude/contract.ts';
import { encodeHead, type Head, parseHead } from './message-head.ts';
import { type FromLane, maxErrorBytes, maxPathBytes, type VmRegisters, type VmState } from './messages.ts';

type Message<Type extends FromLane['type']> = Extract<FromLane, { type: Type }>;

const waiting: VmState = { type: 'waiting' };

export function encodeFromLane(message: FromLane): string {
  switch (message.type) {
    case 'ready':
      return encodeHead('ready', 0, 0, 0, message.build);
    case 'call':
      return encodeHead('call', message.run, message.index, 0, message.path);
    case 'abandon':
      return encodeHead('abandon', message.run, message.index);
    case 'log':
      return encodeHead('log', message.run, message.index, message.at, message.level);
    case 'slice': {
      const { run, cpuUs, memoryBytes, state } = message;
      // Most slices end by waiting, so that state is encoded as an empty text.
      const text = state.type === 'waiting' ? '' : JSON.stringify(state);
      return encodeHead('slice', run, cpuUs, memoryBytes, text);
    }
    case 'pages': {
      const { vm, build } = message;
      return encodeHead('pages', message.run, 0, 0, JSON.stringify({ vm, build }));
    }
    case 'unkept':
      return encodeHead('unkept', message.run);
    case 'restored':
      return encodeHead('restored', message.run, Number(message.ok));
  }
}

/**
 * Parses a lane's message and checks every field, because the lane may have been taken over by hostile code. Throws if the message is
 * invalid. The caller then ends the lane.
 */
export function parseFromLane(text: string): FromLane {
  const head = parseHead(text);
  expectCount(head.run, 'run');
  switch (head.type) {
    case 'ready':
      return { type: 'ready', build: head.text };
    case 'call':
      return parseCall(head);
    case 'abandon':
      return { type: 'abandon', run: head.run, index: expectCount(head.first, 'index') };
    case 'log':
      return parseLog(head);
    case 'slice':
      return parseSlice(head);
    case 'pages':
      return parsePages(head);
    case 'unkept':
      return { type: 'unkept', run: head.run };
    case 'restored':
      return { type: 'restored', run: head.run, ok: expectCount(head.first, 'ok') === 1 };
    default:
      throw new TypeError('The message type is unknown.');
  }
}

const levels: readonly string[] = ['debug', 'info', 'log', 'warn', 'error'];

function parseCall({ run, first, text }: Head): Message<'call'> {
  if (Buffer.byteLength(text) > maxPathBytes) throw malformed('path');
  return { type: 'call', run, index: expectCount(first, 'index'), path: text };
}

function parseLog({ run, first, second, text }: Head): Message<'log'> {
  if (!levels.includes(text)) throw malformed('level');
  if (!Number.isFinite(second)) throw malformed('at');
  return {
    type: 'log',
    run,
    index: expectCount(first, 'index'),
    at: second,
    level: text as Message<'log'>['level'],
  };
}

function parseSlice({ run, first, second, text }: Head): Message<'slice'> {
  const state: unknown = text === '' ? waiting : parseJson(text);
  if (!isState(state)) throw malformed('state');
  const cpuUs = expectCount(first, 'cpuUs');
  return { type: 'slice', run, cpuUs, memoryBytes: expectCount(second, 'memoryBytes'), state };
}

function parsePages({ run, text }: Head): Message<'pages'> {
  const rest = parseJson(text);
  if (!isPages(rest)) throw malformed('pages');
  return { type: 'pages', run, vm: rest.vm, build: rest.build };
}

function expectCount(value: number, name: string): number {
  if (!Number.isSafeInteger(value) || value < 0) throw malformed(name);
  return value;
}

function malformed(name: string): TypeError {
  return new TypeError(`${name} is malformed.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TypeError('A field is not JSON.', { cause });
  }
}

type Check = (value: unknown) => boolean;

const count: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const number: Check = (value) => Number.isFinite(value);
const text: Check = (value) => typeof value === 'string' && value.length <= maxErrorBytes;
const oneOf =
  (...allowed: unknown[]): Check =>
  (value) =>
    allowed.includes(value);
const object =
  (fields: Record<string, Check>): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(fields).every(([name, check]) => check((value as Record<string, unknown>)[name]));
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const error = object({
  name: text,
  message: text,
  stack: text,
  reason: oneOf('thrown', 'unhandled', 'unsettled', 'syntax', 'limit'),
  ofResult: optional(oneOf(true, false)),
  cause: optional(object({ name: text, message: text })),
});
const unawaitedCall = object({
  path: (value) => text(value) && Buffer.byteLength(value as string) <= maxPathBytes,
  line: count,
  column: count,
  outcome: oneOf('succeeded', 'failed', 'denied', 'pending'),
  message: optional(text),
});
const unawaited: Check = (value) =>
  Array.isArray(value) && value.length <= 2 * maxUnawaited && value.every(unawaitedCall);
const states: Record<string, Check> = {
  waiting: () => true,
  draining: () => true,
  returned: object({ unawaited: optional(unawaited) }),
  timedOut: () => true,
  unmade: object({ index: count }),
  threw: object({ error }),
  outOfMemory: object({ error: optional(error) }),
  trapped: object({ message: text }),
};
const pair: Check = (value) => Array.isArray(value) && value.length === 2 && value.every(count);
const registers = object({
  stackPointer: count,
  memoryBytes: count,
  clock: number,
  calls: count,
  logs: count,
  logBytes: count,
  omittedLines: count,
  outstanding: (value) => Array.isArray(value) && value.every(pair),
  drains: optional(oneOf(true, false)),
  returned: optional(text),
});
const pages = object({ vm: registers, build: text });

function isState(value: unknown): value is VmState {
  const { type } = (value ?? {}) as { type?: unknown };
  return typeof type === 'string' && Object.hasOwn(states, type) && states[type]?.(value) === true;
}

function isPages(value: unknown): value is { vm: VmRegisters; build: string } {
  return pages(value);
}
