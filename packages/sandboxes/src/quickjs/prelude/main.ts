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
import { drain, noteError } from './drain.ts';
import { encode } from './encode.ts';
import { describeError, LimitError } from './errors.ts';
import { connect, host } from './host.ts';
import { observeRaces } from './races.ts';
import { seed } from './random.ts';
import { setHead } from './stack.ts';
import { pathOf } from './tool-paths.ts';
import { argument } from './tools.ts';
import { noteReturn } from './unawaited.ts';

/** Runs the submitted code. If it returns a function, that function is run too. `drains` is the rule by which the run ends. */
async function start(main: () => unknown, head: number, drains: boolean): Promise<void> {
  setHead(head);
  if (drains) observeRaces();
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
    noteReturn();
  } catch (error) {
    host.settle('threw', describeError(error, true));
  }
}

connect({ seed, start, deliver, drain, noteError, describeError });
