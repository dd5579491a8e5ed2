import { interactionIdOf } from '@executor/engine';
import { type Execution, isFinished } from '@executor/protocol';
import { type CallToolResult, type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server';
import { answered } from '../../http/stream/disconnect-signal.ts';
import { dialogOutcome, elicitation } from '../dialog/client-dialogs.ts';
import { questionsFor, submitAnswer } from '../dialog/dialogs.ts';
import { inputRequest, maxAtOnce } from '../dialog/input-requests.ts';
import type { OpenDialog } from '../dialog/open-dialogs.ts';
import { type RequestState, signState } from '../dialog/request-state.ts';
import { answerOf } from '../text/answer.ts';
import { createdTask, isWorking } from './tasks.ts';
import type { ToolCall } from './tool-call.ts';

/** How a call waits for its run. A call with `waitMs` 0 opens no dialogs. */
export interface Waiting {
  executionId: string;
  waitMs: number;
  /** Resolves when the run has finished, needs a user's answer, or the time is up. */
  settled(signal: AbortSignal): Promise<Execution>;
}

/** Each round of dialogs is one more request from the client. Clients give up on a call after about this many. */
const maxRounds = 8;
const stateLifeMs = 30 * 60_000;

/** Waits for a run. Asks its questions in the client's dialogs if the key allows that, using the client's protocol version. */
export async function converse(
  call: ToolCall,
  waiting: Waiting,
  callId: string,
): Promise<CallToolResult | InputRequiredResult> {
  if (call.send) return inSession(call, waiting);
  const run = await waiting.settled(call.left);
  const { ownerId } = call.exchange;
  const { executionId } = waiting;
  const chain = { ownerId, call: callId, executionId, putOff: [], round: 0 };
  return waiting.waitMs > 0 ? askOrAnswer(call, run, chain) : answer(call, run);
}

type Chain = Omit<RequestState, 'asked' | 'expiresAt'>;

/** The next round of a call since 2026-07-28: the request carries the user's answers. */
export async function continueConversation(
  call: ToolCall,
  state: RequestState,
  waitMs: number,
): Promise<CallToolResult | InputRequiredResult> {
  const { parts, exchange, context } = call;
  const { executions } = parts.engine;
  const { executionId, asked } = state;
  const responses = context.mcpReq.inputResponses ?? {};
  const putOff = [...state.putOff];
  const notes: string[] = [];
  let isAwaited = false;
  for (const { interactionId, hash, isForm } of asked) {
    const response = Object.hasOwn(responses, interactionId) ? responses[interactionId] : undefined;
    const question = { interactionId, executionId, hash };
    const outcome = dialogOutcome(isForm, response);
    const submission = await submitAnswer(parts, exchange.principal, question, outcome);
    if ('message' in submission) notes.push(submission.message);
    if (submission.type !== 'refused' && submission.type !== 'unanswered') isAwaited = true;
    putOff.push(interactionId);
  }
  const run = isAwaited
    ? await executions.waitForAnswer(exchange.principal, executionId, { waitMs, known: putOff }, call.left)
    : await executions.get(exchange.principal, executionId);
  return askOrAnswer(call, run, { ...state, putOff, round: state.round + 1 }, notes);
}

/** Returns open questions as an `inputRequired` result that holds the signed state of the next round; otherwise the run's answer. */
async function askOrAnswer(
  call: ToolCall,
  run: Execution,
  { ownerId, call: callId, executionId, putOff, round }: Chain,
  notes: string[] = [],
): Promise<CallToolResult | InputRequiredResult> {
  const { stateKey } = call.parts;
  const questions = (await questionsFor(call, run)).filter(
    ({ interactionId }) => !putOff.includes(interactionId),
  );
  if (questions.length === 0 || round >= maxRounds) return answer(call, run, notes);
  const shown = questions.slice(0, maxAtOnce);
  const asked = shown.map(({ interactionId, hash, form }) => {
    return { interactionId, hash, isForm: form !== undefined };
  });
  const expiresAt = Date.now() + stateLifeMs;
  const joined = call.delivery.isJoined && { isJoined: true };
  const state = { ownerId, call: callId, executionId, putOff, round, asked, expiresAt, ...joined };
  return inputRequired({
    inputRequests: Object.fromEntries(
      shown.map((question) => [question.interactionId, inputRequest(question)]),
    ),
    requestState: signState(state, await stateKey()),
  });
}

async function answer(
  { takesTasks, parts, delivery }: ToolCall,
  run: Execution,
  notes: string[] = [],
): Promise<CallToolResult> {
  if (takesTasks && isWorking(run)) return delivery.deliver(run, createdTask(run));
  return delivery.deliver(run, await answerOf(run, parts.engine, { notes }));
}

/** In the session era the response stays open as a stream of questions. The client answers each in a separate request. */
async function inSession(call: ToolCall, waiting: Waiting): Promise<CallToolResult> {
  const { parts, exchange } = call;
  const { executions } = parts.engine;
  const deadline = Date.now() + waiting.waitMs;
  const asked: OpenDialog[] = [];
  let run = await waiting.settled(call.left);
  for (;;) {
    await withdraw(call, asked, (dialog) => !isAsked(run, dialog));
    const waitMs = deadline - Date.now();
    if (isFinished(run.status) || waitMs <= 0 || call.left.aborted) break;
    const isFull = await openDialogs(call, asked, run);
    const open = asked.filter((dialog) => isOpen(run, dialog));
    // Questions that this client cannot show are known too, so that they do not end the wait at once each time.
    const known = [...asked.map(idOf), ...run.interactions.map(interactionIdOf)];
    if (open.length === 0) {
      const current = await executions.get(exchange.principal, run.id);
      // Another client answered first, so the run continues.
      const isAnswered = known.some((id) => isAmong(run, id) && !isAmong(current, id));
      run = current;
      if (asked.some((dialog) => isOpen(current, dialog))) continue;
      if (!isAnswered) break;
    }
    const signal = AbortSignal.any([call.left, ...open.map(({ unanswered }) => unanswered)]);
    const awaited = { waitMs, known, ...(isFull && { shown: open.map(idOf) }) };
    run = await executions.waitForAnswer(exchange.principal, run.id, awaited, signal);
  }
  // This process cannot receive answers after it stops.
  if (parts.stopping.aborted) await withdraw(call, asked, () => true);
  const notes = asked.flatMap(({ refusal }) => refusal ?? []);
  const inDialog = asked.some((dialog) => isOpen(run, dialog));
  return call.delivery.deliver(run, await answerOf(run, parts.engine, { notes, inDialog }));
}

/** Opens dialogs for the questions that this client does not show yet. Returns true if the maximum of open dialogs is reached. */
async function openDialogs(call: ToolCall, asked: OpenDialog[], run: Execution): Promise<boolean> {
  const { exchange, parts } = call;
  for (const question of await questionsFor(call, run)) {
    if (asked.some((dialog) => idOf(dialog) === question.interactionId && !dialog.isLost)) continue;
    if (asked.filter((dialog) => isOpen(run, dialog)).length >= maxAtOnce) return true;
    const joined = parts.openDialogs.find(exchange, question);
    const dialog = joined ?? parts.openDialogs.open(exchange, question);
    if (dialog === undefined) return false;
    asked.push(dialog);
    if (joined === undefined) await send(call, dialog);
    // The client waits no more.
    if (call.left.aborted) return false;
  }
  return false;
}

async function send({ send: write, left }: ToolCall, dialog: OpenDialog): Promise<void> {
  const { id, question } = dialog;
  const params = elicitation(question);
  const isPage = params.mode === 'url';
  const onLeave = () => {
    if (left.reason !== answered) dialog.lose();
  };
  left.addEventListener('abort', onLeave, { once: true });
  try {
    await write?.({
      id,
      method: 'elicitation/create',
      params: { ...params, ...(isPage && { elicitationId: id }) },
    });
  } catch {
    dialog.lose();
  }
  // Writing to a closed stream does not throw.
  if (left.aborted) onLeave();
}

/** Cancels dialogs whose answer is no longer needed or could not be received. */
async function withdraw(
  { send: write, exchange, parts }: ToolCall,
  asked: OpenDialog[],
  isOver: (dialog: OpenDialog) => boolean,
): Promise<void> {
  for (const dialog of asked.filter(isOver)) {
    if (!parts.openDialogs.forget(exchange.ownerId, dialog)) continue;
    dialog.leaveUnanswered();
    const params = { requestId: dialog.id, reason: 'This question is no longer open.' };
    await write?.({ method: 'notifications/cancelled', params }).catch(() => {});
  }
}

function isOpen(run: Execution, dialog: OpenDialog): boolean {
  return !dialog.unanswered.aborted && isAsked(run, dialog);
}

function isAsked(run: Execution, dialog: OpenDialog): boolean {
  return isAmong(run, idOf(dialog));
}

function isAmong({ interactions }: Execution, id: string): boolean {
  return interactions.some((interaction) => interactionIdOf(interaction) === id);
}

function idOf({ question }: OpenDialog): string {
  return question.interactionId;
}
