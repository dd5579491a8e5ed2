import { cutJson, type Engine, type PendingGroup } from '@executor/engine';
import { type Execution, ExecutorError, isFinished } from '@executor/protocol';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { remedyFor } from './remedies.ts';
import { unawaitedText } from './unawaited.ts';

/** About six thousand tokens. */
const maxResultBytes = 24_000;
/** Code has to read a larger result anyway, so a part that shows its shape is enough. */
const maxPartBytes = 8_000;
const maxLogCharacters = 4_000;
const maxPrompts = 20;
const maxPromptCharacters = 600;
const maxMessageCharacters = 4_000;
const maxDiagnostics = 5;
const maxDiagnosticCharacters = 300;
/** A larger artifact is not read again just to count what was cut. */
const maxReadBytes = 8 * 1024 * 1024;

/**
 * What a model reads about a run: the returned value as JSON, or the state of the run and what to do next. If something is cut, the
 * answer says so and shows how to read all of it.
 */
export async function answerOf(
  run: Execution,
  engine: Engine,
  { notes = [], inDialog = false }: DialogState = {},
): Promise<CallToolResult> {
  const answer = await answerWithoutNotes(run, engine, inDialog);
  const rejections = notes
    .slice(0, maxPrompts)
    .map((note) => `Executor rejected an answer from a dialog. ${note}`);
  return withNotes(answer, rejections);
}

interface DialogState {
  /** Why answers were rejected. */
  notes?: string[];
  /** Whether a dialog about a pending question is open. */
  inDialog?: boolean;
}

async function answerWithoutNotes(
  run: Execution,
  engine: Engine,
  inDialog: boolean,
): Promise<CallToolResult> {
  switch (run.status) {
    case 'completed':
      return withStructure([
        ...(await resultTexts(run, engine)),
        ...hintTexts(run),
        ...unawaitedText(run),
        ...logTexts(run),
      ]);
    case 'failed':
      return { ...texts(failureText(run), ...logTexts(run), ...diagnosticsText(run)), isError: true };
    case 'cancelled':
      return { ...state(run, 'The run was cancelled. Completed calls are not undone.'), isError: true };
    default:
      return unfinished(run, engine, inDialog);
  }
}

/**
 * Some clients accept only objects as results, so other values are in an object too. Clients that support it show it instead of the texts.
 */
function withStructure(texts: string[]): CallToolResult {
  const [first = 'null', ...notes] = texts;
  const result: unknown = JSON.parse(first);
  const isObject = typeof result === 'object' && result !== null && !Array.isArray(result);
  const content = [{ type: 'text' as const, text: first }];
  return withNotes(isObject ? { content } : { content, structuredContent: { result } }, notes);
}

/** Adds texts to an answer, also for clients that show only its structured content. */
export function withNotes(answer: CallToolResult, notes: string[]): CallToolResult {
  if (notes.length === 0) return answer;
  const structured = answer.structuredContent as { notes?: string[] } | undefined;
  return {
    ...answer,
    content: [...answer.content, ...texts(...notes).content],
    ...(structured && {
      structuredContent: { ...structured, notes: [...(structured.notes ?? []), ...notes] },
    }),
  };
}

/** The answer to an invalid request. */
export function refusalOf({ code, message, details }: ExecutorError): CallToolResult {
  const executionId = details?.executionId;
  return {
    ...json({ error: { code, message }, ...(executionId !== undefined && { executionId }) }),
    isError: true,
  };
}

async function resultTexts(run: Execution, engine: Engine): Promise<string[]> {
  const { id, workspaceId, ownerId = '', result = null, omitted } = run;
  const { artifacts } = engine;
  if (omitted?.result) {
    // Cutting a cut result again would give wrong counts, so the cut starts from the artifact.
    const kept = await storedResult(run, engine);
    const shown = await engine.jsonReader.cut(kept ?? Buffer.from(JSON.stringify(result)), maxPartBytes);
    const inexact = kept === undefined ? ' The counts of omitted items are too low.' : '';
    return [shown, cutNotice(omitted.result.bytes, omitted.result.artifactId) + inexact];
  }
  const whole = JSON.stringify(result);
  const bytes = Buffer.from(whole);
  if (bytes.length <= maxResultBytes) return [whole];
  const shown = cutJson(whole, maxPartBytes);
  const artifact = { bytes, mediaType: 'application/json', name: 'result.json' };
  const writer = { id, workspaceId, ownerId, principalKind: 'agent' } as const;
  const stored = await artifacts.put(writer, artifact, 'result').catch(withoutRoom);
  return [shown, cutNotice(bytes.length, stored?.artifactId)];
}

/** A key without room still gets its answer. */
function withoutRoom(error: unknown): undefined {
  if (!(error instanceof ExecutorError) || error.code !== 'quotaExceeded') throw error;
}

async function storedResult(
  { workspaceId, ownerId, omitted }: Execution,
  { artifacts }: Engine,
): Promise<Uint8Array | undefined> {
  const { bytes = 0, artifactId } = omitted?.result ?? {};
  if (artifactId === undefined || ownerId === undefined || bytes > maxReadBytes) return undefined;
  return (await artifacts.readWhole({ workspaceId, ownerId }, artifactId))?.bytes;
}

function cutNotice(bytes: number, artifactId: string | undefined): string {
  const rest =
    artifactId === undefined
      ? 'The rest was not stored. Return less.'
      : `To use all of it in code: const { json } = await tools.executor.artifacts.read({ id: "${artifactId}", as: "json" }). Then return only what you need.`;
  return `The result has ${bytes} bytes and is cut here. ${rest}`;
}

function logTexts({ id, logs, omitted }: Execution): string[] {
  if (logs.length === 0) return [];
  const text = logs.map(({ level, text: line }) => (level === 'log' ? line : `${level}: ${line}`)).join('\n');
  const isCut = text.length > maxLogCharacters || omitted?.logs !== undefined;
  // The end of a log is more useful than its beginning.
  const end = text.slice(-maxLogCharacters).replace(/^[\uDC00-\uDFFF]/, '');
  const all = `log less, or ask your user to run \`executor executions events ${id}\` for all of it`;
  return [isCut ? `End of the logs (${all}):\n…${end}` : `Logs:\n${end}`];
}

function hintTexts({ hints = [] }: Execution): string[] {
  return hints.length > 0 ? [hints.join('\n')] : [];
}

/** Arithmetic with dates works, so such an error never explains a failure. */
const arithmetic = [2362, 2363];

/** The type errors of code that ran and failed. They often explain why. */
function diagnosticsText({ id, diagnostics: all = [] }: Execution): string[] {
  const diagnostics = all.filter(({ code }) => code === undefined || !arithmetic.includes(code));
  if (diagnostics.length === 0) return [];
  const shown = diagnostics.slice(0, maxDiagnostics).map(({ message, line }) => {
    const text =
      message.length > maxDiagnosticCharacters ? `${message.slice(0, maxDiagnosticCharacters)}…` : message;
    return line === undefined ? text : `Line ${line}: ${text}`;
  });
  const left = diagnostics.length - shown.length;
  const more = left > 0 ? [`Run ${id} has ${left} more type errors.`] : [];
  return [['Type errors. They did not stop the run:', ...shown, ...more].join('\n')];
}

function failureText({ id, error }: Execution): string {
  const { code = 'internal', name, message = '', line, column, excerpt } = error ?? {};
  const text = name && !message.startsWith(name) ? `${name}: ${message}` : message;
  const hasLocation = line !== undefined;
  const all = `your user can see all of it with \`executor executions show ${id}\``;
  return JSON.stringify({
    status: 'failed',
    executionId: id,
    error: {
      code,
      message: shortened(text, maxMessageCharacters, all),
      ...(hasLocation && { line, column }),
      ...(excerpt !== undefined && { excerpt: shortened(excerpt, maxMessageCharacters, all) }),
    },
    next: remedyFor(error ?? {}),
  });
}

async function unfinished(run: Execution, engine: Engine, inDialog: boolean): Promise<CallToolResult> {
  if (run.interactions.length > 0) {
    const groups = await engine.interactions.pendingGroups(run);
    // All of them may have been answered since the run was read.
    if (groups.length > 0) return waiting(run, groups, inDialog);
  }
  // This includes runs that wait for a timer, or that have not continued yet after an answer: the user has nothing to do.
  return state(
    run,
    `${hasReturned(run)}The run has not finished. Call resume with this executionId to get its result. Do not run the code again.`,
  );
}

/** What a waiting task needs and what the model should do. The client sees no other text about it. */
export function taskStatusMessage(run: Execution, inDialog: boolean): string {
  const { id, interactions } = run;
  const [first, ...others] = interactions;
  if (first === undefined) return '';
  const more = others.length > 0 ? ` More pending questions: ${others.length}.` : '';
  const who = inDialog
    ? `Your user can answer in the dialog (inputRequests) or at ${first.url}`
    : `Ask your user to answer this at ${first.url}`;
  const next = `You cannot answer it. Do not run the code again: the task continues after the answer. Wait with tasks/get, or with resume and executionId "${id}".`;
  return `${hasReturned(run)}${who}: ${promptOf(first)}${more} ${next}`;
}

function promptOf({ prompt }: { prompt: string }): string {
  return shortened(prompt, maxPromptCharacters, 'the url shows all of it');
}

/** Cuts without splitting a surrogate pair, and says how much is missing and where all of it is. */
function shortened(text: string, max: number, where: string): string {
  if (text.length <= max) return text;
  const end = text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
  return `${end}… (${text.length - end.length} more characters; ${where})`;
}

/** The result of such a run is known, but not published. */
function hasReturned({ returned }: Execution): string {
  return returned
    ? 'The code has already returned. It did not await all calls, and the run waits for them. '
    : '';
}

function waiting(run: Execution, groups: PendingGroup[], inDialog: boolean): CallToolResult {
  const shown = groups.slice(0, maxPrompts);
  const more = groups.slice(maxPrompts).reduce((sum, { count }) => sum + count, 0);
  return json({
    status: 'waiting',
    executionId: run.id,
    interactions: shown.map(({ kind, prompt, url }) => ({ kind, prompt: promptOf({ prompt }), url })),
    ...(more > 0 && { moreInteractions: more }),
    next: `${hasReturned(run)}${inDialog ? inDialogNext : atUrlNext}`,
  });
}

const inDialogNext =
  'Your user can answer in the open dialog or at the url. Call resume with this executionId to wait for the answer. Do not run the code again.';
const atUrlNext =
  'Show your user the prompt and ask them to answer at the url. Then call resume with this executionId. You cannot answer it. Do not run the code again.';

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
