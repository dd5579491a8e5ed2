import { sleepPath } from '@executor/engine';
import { maxUnawaited } from './contract.ts';
import { host, stringify } from './host.ts';
import { positionIn } from './stack.ts';

/** A call that the code makes. `stack` is the stack of the line that made it. */
export interface MadeCall {
  path: string;
  stack: string;
  /** Present for timers, which no run waits for. */
  timer?: true;
}

/** The calls that settled after the code had returned. Failed calls have a list of their own, so that others do not displace them. */
interface Noted {
  index: number;
  json: string;
}

const failures: Noted[] = [];
const successes: Noted[] = [];
const maxMessage = 200;
let returned = false;
let omitted = 0;

/** From here on, calls that settle are noted. */
export function noteReturn(): void {
  returned = true;
}

export function noteSettled({ path, stack }: MadeCall, index: number, name?: string, message?: string): void {
  if (!returned || path === sleepPath) return;
  const outcome = name === undefined ? 'succeeded' : name === 'ToolDeniedError' ? 'denied' : 'failed';
  const list = name === undefined ? successes : failures;
  if (list.length === maxUnawaited / 2) omitted += 1;
  else list[list.length] = { index, json: entry({ path, stack }, outcome, message) };
}

/** All noted calls in the order in which they were made, then the timers, as JSON. */
export function listUnawaited(timers: MadeCall[]): string {
  if (omitted > 0) host.log('warn', `${omitted} more calls were not awaited. They are not listed.`);
  let list = '';
  const add = (json: string) => {
    list += list === '' ? json : `,${json}`;
  };
  for (const { json } of ordered.call([...failures, ...successes], byIndex)) add(json);
  for (let position = 0; position < timers.length && position < maxUnawaited / 2; position++)
    add(entry(timers[position] as MadeCall, 'pending'));
  return `[${list}]`;
}

const ordered = Array.prototype.sort;
const byIndex = (one: Noted, other: Noted) => one.index - other.index;

/** An object without a prototype, because the code may have added a `toJSON` to `Object.prototype`. */
function entry({ path, stack }: MadeCall, outcome: string, message?: string): string {
  const { line, column } = positionIn(stack);
  const text = message === undefined ? undefined : message.slice(0, maxMessage);
  return stringify({ __proto__: null, path, line, column, outcome, message: text });
}
