import './console.ts';
import './crypto.ts';
import './intl.ts';
import './missing.ts';
import './text.ts';
import './timers.ts';
import './url.ts';
import './abort.ts';
import './structured-clone.ts';
import { deliver } from './calls.ts';
import { encode } from './encode.ts';
import { describeError, LimitError } from './errors.ts';
import { connect, host } from './host.ts';
import { seed } from './random.ts';
import { setHead } from './stack.ts';
import { argument, pathOf } from './tools.ts';

/** Runs the submitted code; what it returns, if a function, is what was meant to run. */
async function start(main: () => unknown, head: number): Promise<void> {
  setHead(head);
  try {
    let value = await main();
    if (typeof value === 'function') value = await call(value as Meant);
    const refusal = host.settle('returned', encode(value, 'result'));
    if (refusal !== undefined) throw new LimitError(refusal);
  } catch (error) {
    host.settle('threw', describeError(error));
  }
}

type Meant = (argument: object) => unknown;

function call(meant: Meant): unknown {
  const path = pathOf(meant);
  if (path === undefined) return meant(argument);
  const name = path === '' ? 'tools' : `tools.${path}`;
  throw new TypeError(
    `The code returns ${name} itself, which is no result. Call it: return await ${name}({ … }).`,
  );
}

connect({ seed, start, deliver, describeError });
