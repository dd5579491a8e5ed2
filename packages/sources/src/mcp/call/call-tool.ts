import type { Invocation, InvocationOutcome } from '@executor/engine';
import type { CallScope } from '../connection/call-scope.ts';
import { withScope } from '../connection/call-scope.ts';
import type { Session } from '../connection/session.ts';
import type { Sessions } from '../connection/sessions.ts';
import type { McpPlan } from '../plan.ts';
import { parseSettings } from '../settings.ts';
import { failureOf, statusOf } from './call-failure.ts';
import { questionOf } from './elicitation-request.ts';
import { afterAnswer, afterInputRequired, asksForInput, type Continuation } from './input-required.ts';
import { errorText, promptValue, resourceValue, toolValue } from './result-value.ts';
import { sendRequest } from './send-request.ts';

interface CallParts {
  sessions: Sessions;
  /** The tools of the source may not be those of the server any more. */
  onStale(sourceId: string, cause: 'connected' | 'invalidInput'): void;
}

type Json = Record<string, unknown>;

const invalidParams = -32_602;
const urlElicitationRequired = -32_042;

/** Sends the request of a tool. What the server answers and network errors are outcomes, not exceptions. */
export async function callTool(
  invocation: Invocation,
  signal: AbortSignal,
  parts: CallParts,
): Promise<InvocationOutcome> {
  const { resumed } = invocation;
  const attempt: Attempt = { sent: false };
  try {
    if (resumed && wasRefused(resumed)) return refusedPage;
    const first = resumed && afterAnswer(resumed.state, resumed.answer);
    if (first && 'type' in first) return first;
    let continuation = first;
    for (;;) {
      const result = await exchange(invocation, signal, { ...parts, continuation, attempt });
      if (!asksForInput(result)) return await outcomeOf(result, invocation);
      const next = afterInputRequired(result, continuation?.round ?? 0);
      if ('type' in next) return next;
      continuation = next;
    }
  } catch (error) {
    signal.throwIfAborted();
    const page = pageToOpen(error);
    if (page) return page;
    if ((error as { code?: unknown }).code === invalidParams)
      parts.onStale(invocation.sourceId, 'invalidInput');
    return failureOf(error, invocation, attempt);
  }
}

interface Attempt {
  /** Whether the server may have received the request. */
  sent: boolean;
}

/** A server that forgot the session has not read the request, so it is sent once more in a new session. */
async function exchange(
  invocation: Invocation,
  signal: AbortSignal,
  {
    sessions,
    onStale,
    continuation,
    attempt,
  }: CallParts & { continuation: Continuation | undefined; attempt: Attempt },
): Promise<Json> {
  const { sourceId, auth } = invocation;
  const settings = parseSettings(invocation.settings);
  const { route } = invocation.tool.plan as McpPlan;
  for (let tries = 0; ; tries++) {
    attempt.sent = false;
    const { session, isNew } = await sessions.acquire({ sourceId, settings, auth, known: route, signal });
    if (isNew && tries === 0) onStale(sourceId, 'connected');
    try {
      attempt.sent = true;
      return await send(session, invocation, signal, continuation);
    } catch (error) {
      const isForgotten = statusOf(error) === 404 && session.isOver && session.route.era === 'legacy';
      if (!isForgotten || tries > 0 || signal.aborted) throw error;
      await invocation.allowAnswer(0);
    }
  }
}

async function send(
  session: Session,
  invocation: Invocation,
  signal: AbortSignal,
  continuation: Continuation | undefined,
): Promise<Json> {
  const stop = new AbortController();
  let fail: CallScope['fail'] = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  const scope: CallScope = { invocation, fail };
  session.enter(scope);
  try {
    const request = withScope(scope, () =>
      sendRequest(session, invocation, { signal: AbortSignal.any([signal, stop.signal]), continuation }),
    );
    return await Promise.race([request, failed]);
  } catch (error) {
    stop.abort();
    throw error;
  } finally {
    session.leave(scope);
  }
}

async function outcomeOf(result: Json, invocation: Invocation): Promise<InvocationOutcome> {
  const { method } = invocation.tool.plan as McpPlan;
  if (method === 'resources/read') return { type: 'value', value: await resourceValue(result, invocation) };
  if (method === 'prompts/get') return { type: 'value', value: await promptValue(result, invocation) };
  if (method !== 'tools/call') return { type: 'value', value: result };
  if (result.isError !== true) return { type: 'value', value: await toolValue(result, invocation) };
  const { structuredContent } = result;
  const details = { code: 'toolError', ...(structuredContent !== undefined && { structuredContent }) };
  return { type: 'error', message: errorText(result), details };
}

/** A server of the session era may refuse a call until a person has opened a page. The call is sent again with the answer. */
function pageToOpen(error: unknown): InvocationOutcome | undefined {
  const { code, data } = Object(error) as { code?: unknown; data?: { elicitations?: unknown } };
  const list = data?.elicitations;
  if (code !== urlElicitationRequired || !Array.isArray(list) || list.length === 0) return undefined;
  const question = questionOf(list[0]);
  return { type: 'question', question, state: { page: true, open: [], answers: {}, round: 1 } };
}

const refusedPage = {
  type: 'error',
  message: 'The server needs a page to be opened first, and the reviewer did not open it.',
  details: { code: 'pageNotOpened' },
} as const;

function wasRefused({ state, answer }: NonNullable<Invocation['resumed']>): boolean {
  return (state as { page?: true }).page === true && answer.type !== 'submitted';
}
