import type { FromLane } from './messages.ts';

/**
 * A lane's messages, checked field by field: the process on the other side ran hostile code, and everything here ends up in the
 * server's own structures. Throws on anything else; the caller then ends the lane.
 */
export function parseFromLane(head: unknown): FromLane {
  if (typeof head !== 'object' || head === null) throw new TypeError('A message must be an object.');
  const { type } = head as { type?: unknown };
  const fields =
    typeof type === 'string' && Object.hasOwn(shapes, type) ? shapes[type as FromLane['type']] : undefined;
  if (!fields) throw new TypeError('There is no such message.');
  for (const [name, check] of Object.entries(fields)) {
    if (!check((head as Record<string, unknown>)[name])) throw new TypeError(`${type}.${name} is malformed.`);
  }
  return head as FromLane;
}

type Check = (value: unknown) => boolean;

const count: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const number: Check = (value) => Number.isFinite(value);
const text: Check = (value) => typeof value === 'string';
const flag: Check = (value) => typeof value === 'boolean';
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
  cause: optional(object({ name: text, message: text })),
});
const states: Record<string, Check> = {
  waiting: () => true,
  returned: () => true,
  timedOut: () => true,
  unmade: object({ index: count }),
  threw: object({ error }),
  outOfMemory: object({ error: optional(error) }),
  trapped: object({ message: text }),
};
const state: Check = (value) => {
  const { type } = (value ?? {}) as { type?: unknown };
  return typeof type === 'string' && Object.hasOwn(states, type) && states[type]?.(value) === true;
};
const pair: Check = (value) => Array.isArray(value) && value.length === 2 && value.every(count);
const registers = object({
  stackPointer: count,
  memoryBytes: count,
  clock: number,
  calls: count,
  logs: count,
  logBytes: count,
  outstanding: (value) => Array.isArray(value) && value.every(pair),
});

const shapes: Record<FromLane['type'], Record<string, Check>> = {
  ready: { build: text },
  call: { run: count, index: count, path: text },
  abandon: { run: count, index: count },
  log: { run: count, index: count, level: oneOf('debug', 'info', 'log', 'warn', 'error'), at: number },
  slice: { run: count, cpuUs: count, memoryBytes: count, state },
  pages: { run: count, vm: registers, build: text },
  restored: { run: count, ok: flag },
};
