import './platform/console.ts';
import './platform/crypto.ts';
import './platform/intl.ts';
import './missing.ts';
import './platform/text.ts';
import './platform/timers.ts';
import './platform/url.ts';
import './platform/abort.ts';
import './platform/structured-clone.ts';
import { deliver } from './calls.ts';
import { encode } from './encode.ts';
import { describeError, LimitError } from './errors.ts';
import { connect, host } from './host.ts';
import { seed } from './random.ts';
import { setHead } from './stack.ts';
import { pathOf } from './tool-paths.ts';
import { argument } from './tools.ts';

/** Runs the submitted code. If it returns a function, that function is run too. */
async function start(main: () => unknown, head: number): Promise<void> {
  setHead(head);
  let value: unknown;
  try {
    value = await main();
    if (typeof value === 'function' && pathOf(value) === undefined) value = await value(argument);
  } catch (error) {
    host.settle('threw', describeError(error));
    return;
  }
  try {
    const refusal = host.settle('returned', encode(value, 'result'));
    if (refusal !== undefined) throw new LimitError(refusal);
  } catch (error) {
    host.settle('threw', describeError(error, true));
  }
}

connect({ seed, start, deliver, describeError });
