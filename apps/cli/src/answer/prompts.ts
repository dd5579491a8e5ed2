import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { isCancel, multiselect, type Option, password, select, text } from '@clack/prompts';
import type { Environment } from '../environment.ts';

interface PromptOptions {
  message: string;
  /** Closes the prompt: it need not be answered any more. */
  signal?: AbortSignal | undefined;
}

/** Questions go to standard error: standard output is the result's. */
function streamsOf({ stdin, stderr }: Environment): { input: Readable; output: Writable } {
  // A terminal that does not know its size reports 0: then every letter would get a line of its own.
  if (stderr.isTTY && !stderr.columns) Object.assign(stderr, { columns: 80, rows: 24 });
  return { input: stdin as Readable, output: stderr as Writable };
}

/** One of several; undefined where the person backed out (Ctrl-C, Esc) or the prompt was closed. */
export async function choose<Value extends string>(
  environment: Environment,
  { message, signal }: PromptOptions,
  rows: { value: Value; label: string; hint?: string }[],
): Promise<Value | undefined> {
  if (await interruptedAhead(environment)) return undefined;
  const options = rows as Option<Value>[];
  const chosen = await untilAnswered(signal, (own) =>
    select({
      message,
      options,
      ...streamsOf(environment),
      ...own,
      showInstructions: false,
    }),
  );
  return isCancel(chosen) ? undefined : chosen;
}

/** Any number of several, all of them at first. */
export async function chooseSeveral<Value extends string>(
  environment: Environment,
  { message, signal }: PromptOptions,
  rows: { value: Value; label: string; hint?: string }[],
): Promise<Value[] | undefined> {
  if (await interruptedAhead(environment)) return undefined;
  const options = rows as Option<Value>[];
  const initialValues = rows.map(({ value }) => value);
  const chosen = await untilAnswered(signal, (own) =>
    multiselect({
      message,
      options,
      initialValues,
      ...streamsOf(environment),
      ...own,
    }),
  );
  return isCancel(chosen) ? undefined : chosen;
}

export async function enterText(
  environment: Environment,
  { message, signal }: PromptOptions,
  { initial, problem }: { initial?: string; problem?: (typed: string) => string | undefined } = {},
): Promise<string | undefined> {
  const typed = await untilAnswered(signal, (own) =>
    text({
      message,
      ...streamsOf(environment),
      ...own,
      ...(initial !== undefined && { initialValue: initial }),
      validate: (value) => problem?.(value ?? ''),
    }),
  );
  return isCancel(typed) ? undefined : (typed ?? '');
}

/** Text that is not shown as it is typed. */
export async function enterHidden(
  environment: Environment,
  { message, signal }: PromptOptions,
  problem?: (typed: string) => string | undefined,
): Promise<string | undefined> {
  const typed = await untilAnswered(signal, (own) =>
    password({
      message,
      ...streamsOf(environment),
      clearOnError: true,
      ...own,
      validate: (value) => problem?.(value ?? ''),
    }),
  );
  return isCancel(typed) ? undefined : (typed ?? '');
}

/**
 * Runs a prompt with a signal of its own. The caller's signal is often aborted after the answer, and the prompt would then write a
 * new line into whatever is shown by that time.
 */
async function untilAnswered<Answer>(
  signal: AbortSignal | undefined,
  ask: (own: { signal?: AbortSignal }) => Promise<Answer>,
): Promise<Answer> {
  if (signal === undefined || signal.aborted) return ask(signal ? { signal } : {});
  const own = new AbortController();
  const close = () => own.abort();
  signal.addEventListener('abort', close);
  try {
    return await ask({ signal: own.signal });
  } finally {
    signal.removeEventListener('abort', close);
  }
}

/**
 * Throws away what was typed before the question was there: an Enter that was meant for something else must approve nothing. True where
 * Ctrl-C was among it.
 */
async function interruptedAhead({ stdin }: Environment): Promise<boolean> {
  if (!stdin.isTTY || !stdin.setRawMode) return false;
  let typed = '';
  const listener = (chunk: Buffer | string) => {
    typed += chunk;
  };
  stdin.setRawMode(true);
  stdin.on('data', listener);
  stdin.resume();
  await sleep(50);
  stdin.off('data', listener);
  stdin.pause();
  stdin.setRawMode(false);
  return typed.includes('\u0003');
}
