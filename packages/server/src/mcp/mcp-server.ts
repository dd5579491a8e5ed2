import { ExecutorError, generatedKeyMark, issueSentence, toExecutorError } from '@executor/protocol';
import {
  type CallToolResult,
  type InputRequiredResult,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import type * as z from 'zod';
import { outwardError } from '../http/error-response.ts';
import { CallDelivery } from './call/call-delivery.ts';
import { continueConversation, converse, type Waiting } from './call/conversation.ts';
import { callKey } from './call/open-calls.ts';
import { reportProgress } from './call/progress.ts';
import { hasTasks, serveTasks, tasksExtension } from './call/tasks.ts';
import type { Exchange, McpParts, ToolCall } from './call/tool-call.ts';
import { clientDialogsOf, clientNameOf, shortName } from './client-session.ts';
import { dialogsOf } from './dialog/client-dialogs.ts';
import { questionsFor } from './dialog/dialogs.ts';
import { callHash, type RequestState, readState } from './dialog/request-state.ts';
import { SessionServer } from './session-server.ts';
import { refusalOf } from './text/answer.ts';
import { instructionsFor } from './text/instructions.ts';
import { ExecuteInput, ResumeInput, toolsFor } from './text/tools.ts';
import { visibleSources } from './text/visible-sources.ts';

/** How long a call waits if all connection slots are taken. Short runs finish in this time. */
const crowdedWaitMs = 1_000;

/** Creates the server for one request. The SDK handles the differences between protocol versions. */
export async function createMcpServer(
  parts: McpParts,
  exchange: Exchange,
  era: McpRequestContext['era'],
): Promise<Server> {
  const { engine, version } = parts;
  const info = { name: 'executor', title: 'Executor', version };
  const options: ServerOptions = {
    capabilities: { tools: {}, ...(era === 'modern' && { extensions: { [tasksExtension]: {} } }) },
    ...(exchange.isFirst && {
      instructions: instructionsFor(await visibleSources(engine, exchange.principal)),
    }),
    // The list names the sources that this key may use. They may change at any time, and nothing announces it.
    cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: 'private' } },
  };
  const server =
    era === 'modern' ? new Server(info, options) : new SessionServer(info, options, exchange.requestIds);
  if (era === 'modern') serveTasks(server, parts, exchange);
  server.setRequestHandler('tools/list', async () => ({
    tools: toolsFor(await visibleSources(engine, exchange.principal)),
  }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const cancelled = new AbortController();
    const requestId = context.mcpReq.id;
    cancelled.signal.addEventListener('abort', () => {
      if (server instanceof SessionServer) void server.leaveUnanswered(requestId);
    });
    const forget = parts.openCalls.add(callKey({ ...exchange, requestId }), cancelled);
    // The cancellation has overtaken the call, so nothing is started.
    if (cancelled.signal.aborted) return { content: [] };
    try {
      const call = toolCall(server, { parts, exchange, context, era }, cancelled.signal);
      const answer = answerTo(params, call);
      parts.leavingCalls.follow(exchange.ownerId, call.left, answer);
      return await answer;
    } finally {
      forget();
    }
  });
  return server;
}

async function answerTo(params: { name: string; arguments?: unknown }, call: ToolCall): Promise<Result> {
  switch (params.name) {
    case 'execute':
      return answering(call, ExecuteInput, params.arguments, execute);
    case 'resume':
      return answering(call, ResumeInput, params.arguments, resume);
    default:
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        'Unknown tool. The tools are execute and resume.',
      );
  }
}

/** The client's capabilities come from the request since 2026-07-28, and from the session before. */
export function toolCall(
  server: Server,
  { era, ...request }: Pick<ToolCall, 'parts' | 'exchange' | 'context'> & Pick<McpRequestContext, 'era'>,
  cancelled?: AbortSignal,
): ToolCall {
  const { sessionId, left } = request.exchange;
  const of = {
    ...request,
    left: cancelled ? AbortSignal.any([left, cancelled]) : left,
    delivery: new CallDelivery(request.parts, request.exchange, cancelled),
  };
  const clientName = server.getClientVersion()?.name;
  if (era === 'modern') {
    const capabilities = server.getClientCapabilities();
    return { ...of, clientName, dialogs: dialogsOf(capabilities), takesTasks: hasTasks(capabilities) };
  }
  return {
    ...of,
    clientName,
    takesTasks: false,
    dialogs: clientDialogsOf(sessionId),
    // The SDK numbers the requests of each call from 0, so two open calls of one client would get each other's answers.
    send: async (message) =>
      server.transport?.send({ jsonrpc: '2.0', ...message }, { relatedRequestId: of.context.mcpReq.id }),
  };
}

type Result = CallToolResult | InputRequiredResult;

/** Turns every error into an answer that a model can act on. */
async function answering<Schema extends z.ZodType>(
  call: ToolCall,
  schema: Schema,
  args: unknown,
  answer: (call: ToolCall, input: z.output<Schema>) => Promise<Result>,
): Promise<Result> {
  const input = schema.safeParse(args ?? {});
  if (!input.success) {
    const message = `The input is invalid: ${issueSentence(input.error)}.`;
    return refusalOf(new ExecutorError('invalidRequest', message));
  }
  try {
    return await answer(call, input.data);
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    const error = toExecutorError(thrown);
    if (error.code === 'internal') call.parts.logger.error({ err: thrown }, 'MCP call failed');
    return refusalOf(outwardError(error));
  }
}

async function execute(call: ToolCall, input: Execute): Promise<Result> {
  const callId = callHash('execute', input.code);
  const state = await stateOf(call, callId);
  call.delivery.introduce();
  if (state) return nextRound(call, state, input.waitMs);
  return waiting(call, input.waitMs, async (waitMs) => {
    const begun = (await joined(call, { ...input, waitMs })) ?? (await started(call, { ...input, waitMs }));
    return { executionId: begun.executionId, answer: () => converse(call, begun, callId) };
  });
}

type Execute = z.output<typeof ExecuteInput>;

/** The run of an earlier call with the same code, if its answer was lost. A key of the caller's own says that it wants another run. */
async function joined(
  call: ToolCall,
  { code, waitMs, idempotencyKey }: Execute,
): Promise<Waiting | undefined> {
  const { executions, deliveries } = call.parts.engine;
  const { principal } = call.exchange;
  const isGenerated = call.context.mcpReq._meta?.[generatedKeyMark] === true;
  if (idempotencyKey !== undefined && !isGenerated) return undefined;
  await call.parts.leavingCalls.ended(call.exchange.ownerId);
  const executionId = await deliveries.join(principal, { code, waitMs, requestKey: idempotencyKey });
  if (executionId === undefined) return undefined;
  call.delivery.isJoined = true;
  return {
    ...{ executionId, waitMs },
    settled: (signal) => executions.wait(principal, executionId, { waitMs }, signal),
  };
}

async function started(call: ToolCall, input: Execute): Promise<Waiting> {
  const { principal, sessionId } = call.exchange;
  const { code, waitMs } = input;
  const clientId = shortName(call.clientName) ?? clientNameOf(sessionId);
  const request = { ...input, ...(clientId && { clientId }) };
  const run = await call.parts.engine.executions.start(principal, request, { isAwaited: true });
  const { id, created, endedAtOnce } = run;
  call.delivery.expect({ id, code, created, endedAtOnce }, waitMs);
  return { executionId: run.id, waitMs, settled: run.settled };
}

async function resume(
  call: ToolCall,
  { executionId, waitMs }: z.output<typeof ResumeInput>,
): Promise<Result> {
  const { executions } = call.parts.engine;
  const { principal } = call.exchange;
  const callId = callHash('resume', executionId);
  const state = await stateOf(call, callId);
  if (state) return nextRound(call, state, waitMs);
  const run = await executions.get(principal, executionId).catch((error) => {
    throw error instanceof ExecutorError && error.code === 'notFound' ? noSuchRun : error;
  });
  const shown = await call.delivery.recall(executionId);
  return waiting(call, waitMs, async (ms) => {
    const mayAsk = ms > 0 && (await questionsFor(call, run)).length > 0;
    const settled: Waiting['settled'] = async (signal) =>
      mayAsk ? run : executions.waitForNews(principal, run, { waitMs: ms, shown }, signal);
    return { executionId, answer: () => converse(call, { executionId, waitMs: ms, settled }, callId) };
  });
}

/** The state that the client got in the round before. Throws if it is not valid for this call. */
async function stateOf(
  { parts, exchange, context }: ToolCall,
  call: string,
): Promise<RequestState | undefined> {
  const text = context.mcpReq.requestState<string>();
  if (text === undefined) return undefined;
  return readState(text, await parts.stateKey(), { ownerId: exchange.ownerId, call, now: Date.now() });
}

function nextRound(call: ToolCall, state: RequestState, waitMs: number): Promise<Result> {
  const { executionId, isJoined = false } = state;
  call.delivery.isJoined = isJoined;
  return waiting(call, waitMs, async (ms) => ({
    executionId,
    answer: () => continueConversation(call, state, ms),
  }));
}

const noSuchRun = new ExecutorError(
  'notFound',
  'You have no run with that executionId. Use the one from the answer of execute. You cannot see runs of other keys, and old finished runs are deleted.',
);

interface Begun {
  executionId: string;
  answer(): Promise<Result>;
}

/** Holds a connection slot while it waits, and reports progress. */
async function waiting(
  { parts, exchange, context }: ToolCall,
  waitMs: number,
  begin: (waitMs: number) => Promise<Begun>,
): Promise<Result> {
  const { engine } = parts;
  const { principal, account, turn } = exchange;
  const slot = waitMs > 0 ? engine.resources.held.waits.tryTake(account) : undefined;
  if (slot) turn.wait();
  try {
    const beginMs = slot ? waitMs : Math.min(waitMs, crowdedWaitMs);
    const { executionId, answer } = await turn.during(() => begin(beginMs));
    const stopReporting = reportProgress(engine, { principal, executionId }, context);
    try {
      return await answer();
    } finally {
      stopReporting();
    }
  } finally {
    slot?.release();
  }
}
