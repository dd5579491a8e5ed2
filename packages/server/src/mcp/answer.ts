import { cutJson, type Engine } from '@executor/engine';
import { type Execution, type ExecutorError, isFinished } from '@executor/protocol';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { diagnosticsOf } from './told-diagnostics.ts';

/** About six thousand tokens. */
const maxResultBytes = 24_000;
const maxLogCharacters = 4_000;
const maxPrompts = 20;
const maxPromptCharacters = 600;
const maxMessageCharacters = 4_000;
/** Of a result that is larger, reading all of it would cost more than the counts in it are worth. */
const maxReadBytes = 8 * 1024 * 1024;

/**
 * A run as a model reads it: what it returned, once, as JSON; or where it stands and what to do next. What is left out is named, with
 * the way to get it.
 */
export async function answerOf(
  run: Execution,
  engine: Engine,
  { notes = [], inDialog = false }: AboutDialogs = {},
): Promise<CallToolResult> {
  const answer = await withoutNotes(run, engine, inDialog);
  if (notes.length === 0) return answer;
  const told = notes.slice(0, maxPrompts).map((note) => `An answer given in a dialog was not taken. ${note}`);
  return { ...answer, content: [...answer.content, ...texts(...told).content] };
}

interface AboutDialogs {
  /** Why answers were not taken. */
  notes?: string[];
  /** Whether a dialog about what is asked is open. */
  inDialog?: boolean;
}

async function withoutNotes(run: Execution, engine: Engine, inDialog: boolean): Promise<CallToolResult> {
  switch (run.status) {
    case 'completed':
      return texts(...(await resultOf(run, engine)), ...logsOf(run), ...diagnosticsOf(run));
    case 'failed':
      return { ...texts(failureOf(run), ...logsOf(run), ...diagnosticsOf(run)), isError: true };
    case 'cancelled':
      return { ...state(run, 'The run was cancelled; what it had done by then stays done.'), isError: true };
    default:
      return unfinished(run, inDialog);
  }
}

/** What was wrong with the request itself. */
export function refusalOf({ code, message, details }: ExecutorError): CallToolResult {
  const executionId = details?.executionId;
  return {
    ...json({ error: { code, message }, ...(executionId !== undefined && { executionId }) }),
    isError: true,
  };
}

async function resultOf(run: Execution, engine: Engine): Promise<string[]> {
  const { id, workspaceId, result = null, omitted } = run;
  const { artifacts } = engine;
  if (omitted?.result) {
    // What was cut once and is cut again would count what the first cut left out as if it had never been.
    const kept = await keptResult(run, engine);
    const shown = cutJson(kept ?? JSON.stringify(result), maxResultBytes);
    const miscounted = kept === undefined ? ' More is missing than it says.' : '';
    return [shown, notice(omitted.result.bytes, omitted.result.artifactId) + miscounted];
  }
  const whole = JSON.stringify(result);
  const shown = cutJson(whole, maxResultBytes);
  if (shown === whole) return [whole];
  const bytes = Buffer.from(whole);
  const kept = { bytes, mediaType: 'application/json', name: 'result.json' };
  const { artifactId } = await artifacts.put({ id, workspaceId }, kept, 'result');
  return [shown, notice(bytes.length, artifactId)];
}

async function keptResult(
  { workspaceId, ownerId, omitted }: Execution,
  { artifacts }: Engine,
): Promise<string | undefined> {
  const { bytes = 0, artifactId } = omitted?.result ?? {};
  if (artifactId === undefined || ownerId === undefined || bytes > maxReadBytes) return undefined;
  const kept = await artifacts.readWhole({ workspaceId, ownerId }, artifactId);
  return kept && Buffer.from(kept.bytes).toString();
}

function notice(bytes: number, artifactId: string | undefined): string {
  const rest =
    artifactId === undefined
      ? 'The rest was not kept; return less.'
      : `All of it: in code, JSON.parse((await tools.executor.artifacts.read({ id: "${artifactId}", length: 524288 })).text), with offset for more. Return only what you need of it.`;
  return `The result has ${bytes} bytes and is cut here. ${rest}`;
}

function logsOf({ id, logs, omitted }: Execution): string[] {
  if (logs.length === 0) return [];
  const text = logs.map(({ level, text: line }) => (level === 'log' ? line : `${level}: ${line}`)).join('\n');
  const isCut = text.length > maxLogCharacters || omitted?.logs !== undefined;
  // The end of a log tells more than its beginning.
  const end = text.slice(-maxLogCharacters).replace(/^[\uDC00-\uDFFF]/, '');
  const all = `log less, or have a person run \`executor executions events ${id}\` for all of it`;
  return [isCut ? `Logs, their end (${all}):\n…${end}` : `Logs:\n${end}`];
}

function failureOf({ id, error }: Execution): string {
  const { code = 'internal', name, message = '', line, column, excerpt } = error ?? {};
  const said = name && !message.startsWith(name) ? `${name}: ${message}` : message;
  const isHere = line !== undefined;
  const all = `a person sees all of it with \`executor executions show ${id}\``;
  return JSON.stringify({
    status: 'failed',
    executionId: id,
    error: {
      code,
      message: shortened(said, maxMessageCharacters, all),
      ...(isHere && { line, column }),
      ...(excerpt !== undefined && { excerpt: shortened(excerpt, maxMessageCharacters, all) }),
    },
    next: remedies[code] ?? remedies.internal,
  });
}

const remedies: Record<string, string> = {
  syntax: 'Nothing ran. Mend the code and call execute again.',
  typecheck: 'Nothing ran. Mend the code and call execute again.',
  threw:
    'Mend the code, or catch the error, and call execute again. Calls that were made stay made: do not repeat writes.',
  unhandled: 'Await that promise or catch its error, and call execute again. Calls that were made stay made.',
  unsettled: 'Something is awaited that never comes. Mend the code and call execute again.',
  limit:
    'Do less in one run: fewer calls, less output; then call execute again. Calls that were made stay made.',
  timedOut: 'The code computed for too long. Do less in one run. Calls that were made stay made.',
  outOfMemory:
    'Hold less at once, for example page by page, and call execute again. Calls that were made stay made.',
  crashed: 'Call execute again. Calls that were made stay made: do not repeat writes.',
  nondeterminism:
    'The code went another way when it was resumed. Call execute with the rest of the work; calls that were made stay made.',
  internal: 'This is not the code’s fault. Tell your user; `executor logs` says more.',
};

function unfinished(run: Execution, inDialog: boolean): CallToolResult {
  if (run.status === 'waiting' && run.interactions.length > 0) return waiting(run, inDialog);
  // Also where it waits for a time to come, or has an answer that it has not taken up yet: there is nothing for a person to do.
  return state(
    run,
    'It is not over yet. Call resume with this executionId for its result; do not run the code again.',
  );
}

/** What a task waits for, and what its model is to do about it: this is all that the client hears of it. */
export function askedSentence({ id, interactions }: Execution, inDialog: boolean): string {
  const [first, ...others] = interactions;
  if (first === undefined) return '';
  const more = others.length > 0 ? ` There are ${others.length} more questions.` : '';
  const who = inDialog
    ? `Your user is asked in inputRequests, and can answer there or at ${first.url}`
    : `Tell your user what is asked, and to answer it at ${first.url}`;
  const next = `You cannot answer it, and need not run the code again: the task goes on when they have. Wait with tasks/get, or resume with executionId "${id}".`;
  return `${who}: ${promptOf(first)}${more} ${next}`;
}

function promptOf({ prompt }: Execution['interactions'][number]): string {
  return shortened(prompt, maxPromptCharacters, 'all of it is at the url');
}

/** Never half of a pair, and never without a word of how much is missing and where it is. */
function shortened(text: string, most: number, where: string): string {
  if (text.length <= most) return text;
  const end = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
  return `${end}… (${text.length - end.length} more characters; ${where})`;
}

function waiting({ id, interactions }: Execution, inDialog: boolean): CallToolResult {
  const shown = interactions.slice(0, maxPrompts).map((interaction) => {
    return { kind: interaction.kind, prompt: promptOf(interaction), url: interaction.url };
  });
  const more = interactions.length - shown.length;
  return json({
    status: 'waiting',
    executionId: id,
    interactions: shown,
    ...(more > 0 && { moreInteractions: more }),
    next: inDialog
      ? 'Your user is asked in a dialog, and can answer there or at the url. Call resume with this executionId, which waits for the answer; do not run the code again.'
      : 'Tell your user what is asked and to answer it at the url; then call resume with this executionId. You cannot answer it, and need not run the code again.',
  });
}

function state({ id, status }: Execution, next: string): CallToolResult {
  return json({
    status: isFinished(status) ? status : 'running',
    executionId: id,
    next,
  });
}

function json(value: unknown): CallToolResult {
  return texts(JSON.stringify(value));
}

function texts(...parts: string[]): CallToolResult {
  return { content: parts.map((text) => ({ type: 'text', text })) };
}
