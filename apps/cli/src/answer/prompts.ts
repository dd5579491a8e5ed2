import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { confirm, isCancel, multiselect, type Option, password, select, text } from '@clack/prompts';
import type { Environment } from '../environment.ts';

interface PromptOptions {
  message: string;
  /** Closes the prompt without an answer. */
  signal?: AbortSignal | undefined;
}

/** Prompts are written to standard error, because standard output has the result. */
function streamsOf({ stdin, stderr }: Environment): { input: Readable; output: Writable } {
  // A terminal without a known size reports 0, and would get one letter per line.
  if (stderr.isTTY && !stderr.columns) Object.assign(stderr, { columns: 80, rows: 24 });
  return { input: stdin as Readable, output: stderr as Writable };
}

/** Asks for one of several options. Undefined if the user cancelled (Ctrl-C, Esc) or the prompt was closed. */
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

/** Asks a question that `y` and `n` answer, with No as the default. A user who cancels says no. */
export async function agree(environment: Environment, message: string): Promise<boolean> {
  if (await interruptedAhead(environment)) return false;
  return (await confirm({ message, initialValue: false, ...streamsOf(environment) })) === true;
}

/** Asks for any number of options. All are selected at first. */
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

/** Asks for text that is hidden as it is typed. */
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
 * Discards keys that were typed before the question appeared, because an earlier Enter must not approve anything. Returns true if Ctrl-C
 * was among them.
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
