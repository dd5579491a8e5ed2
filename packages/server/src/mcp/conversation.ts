import type { DialogQuestion } from '@executor/engine';
import { type Execution, isFinished } from '@executor/protocol';
import { type CallToolResult, type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server';
import { answerOf } from './answer.ts';
import { dialogOutcome, elicitation } from './client-dialogs.ts';
import { passOn, questionsFor } from './dialogs.ts';
import type { OpenDialog } from './open-dialogs.ts';
import { type RequestState, signState } from './request-state.ts';
import type { ToolCall } from './tool-call.ts';

/** A question is put to a user only where the call waits at all: one that does not only looks. */
export interface Waiting {
  executionId: string;
  waitMs: number;
  /** The run once it has finished or needs a person, or as it is when the time is up. */
  settled(signal: AbortSignal): Promise<Execution>;
}

/** A round of dialogs is a request of the client's: as many as clients make before they give a call up. */
const mostRounds = 8;
const mostAtOnce = 5;
const stateLifeMs = 30 * 60_000;

/** Waits for a run, and has its questions asked in the client's dialogs where that is allowed, in the way of the client's era. */
export async function converse(
  call: ToolCall,
  waiting: Waiting,
  callId: string,
): Promise<CallToolResult | InputRequiredResult> {
  if (call.send) return inSession(call, waiting);
  const run = await waiting.settled(call.exchange.left);
  const { ownerId } = call.exchange;
  const { executionId } = waiting;
  const chain = { ownerId, call: callId, executionId, putOff: [], round: 0 };
  return waiting.waitMs > 0 ? askOrAnswer(call, run, chain) : answerOf(run, call.parts.engine);
}

type Chain = Omit<RequestState, 'asked' | 'expiresAt'>;

/** The next round of a call since 2026-07-28: the client brings what its user said. */
export async function converseOn(
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
  for (const { interactionId, hash, url, isForm } of asked) {
    const response = Object.hasOwn(responses, interactionId) ? responses[interactionId] : undefined;
    const question = { interactionId, executionId, hash };
    const answered = await passOn(parts, exchange.principal, question, dialogOutcome(isForm, response));
    if ('message' in answered) notes.push(answered.message);
    if (answered.type !== 'refused' && answered.type !== 'unanswered') isAwaited = true;
    putOff.push(url);
  }
  const run = isAwaited
    ? await executions.waitForAnswer(
        exchange.principal,
        executionId,
        { waitMs, known: putOff },
        exchange.left,
      )
    : await executions.get(exchange.principal, executionId);
  return askOrAnswer(call, run, { ...state, putOff, round: state.round + 1 }, notes);
}

/** What is to be asked is an answer of its own, with all that the next round needs to know. */
async function askOrAnswer(
  call: ToolCall,
  run: Execution,
  { ownerId, call: callId, executionId, putOff, round }: Chain,
  notes: string[] = [],
): Promise<CallToolResult | InputRequiredResult> {
  const { engine, stateKey } = call.parts;
  const questions = (await questionsFor(call, run)).filter(({ url }) => !putOff.includes(url));
  if (questions.length === 0 || round >= mostRounds) return answerOf(run, engine, { notes });
  const shown = questions.slice(0, mostAtOnce);
  const asked = shown.map(({ interactionId, hash, url, form }) => {
    return { interactionId, hash, url, isForm: form !== undefined };
  });
  const expiresAt = Date.now() + stateLifeMs;
  const state = { ownerId, call: callId, executionId, putOff, round, asked, expiresAt };
  return inputRequired({
    inputRequests: Object.fromEntries(
      shown.map((question) => [question.interactionId, inputRequest(question)]),
    ),
    requestState: signState(state, await stateKey()),
  });
}

function inputRequest(question: DialogQuestion) {
  const params = elicitation(question);
  return params.mode === 'url' ? inputRequired.elicitUrl(params) : inputRequired.elicit(params);
}

/** In the session era the answer stays open, questions go out on its stream, and what was said comes in requests of its own. */
async function inSession(call: ToolCall, waiting: Waiting): Promise<CallToolResult> {
  const { parts, exchange } = call;
  const { executions } = parts.engine;
  const deadline = Date.now() + waiting.waitMs;
  const asked: OpenDialog[] = [];
  let run = await waiting.settled(exchange.left);
  for (;;) {
    await withdraw(call, asked, ({ question }) => !isAsked(run, question));
    const waitMs = deadline - Date.now();
    if (isFinished(run.status) || waitMs <= 0 || exchange.left.aborted) break;
    await openDialogs(call, asked, run);
    const open = asked.filter(({ unanswered, question }) => !unanswered.aborted && isAsked(run, question));
    if (open.length === 0) break;
    const signal = AbortSignal.any([exchange.left, ...open.map(({ unanswered }) => unanswered)]);
    const known = asked.map(({ question }) => question.url);
    run = await executions.waitForAnswer(exchange.principal, run.id, { waitMs, known }, signal);
  }
  // Its answer would reach nobody.
  if (parts.stopping.aborted) await withdraw(call, asked, () => true);
  const notes = asked.flatMap(({ refusal }) => refusal ?? []);
  const isOpen = asked.some(({ unanswered, question }) => !unanswered.aborted && isAsked(run, question));
  return answerOf(run, parts.engine, { notes, inDialog: isOpen });
}

/** One that this client has open already is not opened again. */
async function openDialogs(call: ToolCall, asked: OpenDialog[], run: Execution): Promise<void> {
  const { exchange, parts } = call;
  for (const question of await questionsFor(call, run)) {
    if (asked.some((dialog) => dialog.question.url === question.url)) continue;
    if (asked.filter((dialog) => isAsked(run, dialog.question)).length >= mostAtOnce) return;
    const joined = parts.openDialogs.find(exchange, question);
    const dialog = joined ?? parts.openDialogs.open(exchange, question);
    if (dialog === undefined) return;
    asked.push(dialog);
    if (joined === undefined) await send(call, dialog);
  }
}

async function send({ send: write, exchange, parts }: ToolCall, dialog: OpenDialog): Promise<void> {
  const { id, question } = dialog;
  const params = elicitation(question);
  const isPage = params.mode === 'url';
  try {
    await write?.({
      id,
      method: 'elicitation/create',
      params: { ...params, ...(isPage && { elicitationId: id }) },
    });
  } catch {
    // The client has gone: somebody else may ask, or the page be used.
    parts.openDialogs.forget(exchange.ownerId, dialog);
    dialog.leaveUnanswered();
  }
}

/** A dialog whose answer is not needed any more, or would reach nobody, is taken back. */
async function withdraw(
  { send: write, exchange, parts }: ToolCall,
  asked: OpenDialog[],
  isOver: (dialog: OpenDialog) => boolean,
): Promise<void> {
  for (const dialog of asked.filter(isOver)) {
    if (!parts.openDialogs.forget(exchange.ownerId, dialog)) continue;
    dialog.leaveUnanswered();
    const params = { requestId: dialog.id, reason: 'This is not asked here any more.' };
    await write?.({ method: 'notifications/cancelled', params }).catch(() => {});
  }
}

function isAsked({ interactions }: Execution, { url }: DialogQuestion): boolean {
  return interactions.some((interaction) => interaction.url === url);
}
