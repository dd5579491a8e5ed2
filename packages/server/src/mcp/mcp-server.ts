import { ExecutorError, issueSentence, toExecutorError } from '@executor/protocol';
import {
  type CallToolResult,
  type InputRequiredResult,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import type * as z from 'zod';
import { outwardError } from '../http/error-response.ts';
import { continueConversation, converse, type Waiting } from './call/conversation.ts';
import { OpenCall } from './call/open-calls.ts';
import { reportProgress } from './call/progress.ts';
import { hasTasks, serveTasks, tasksExtension } from './call/tasks.ts';
import type { Exchange, McpParts, ToolCall } from './call/tool-call.ts';
import { clientDialogsOf, clientNameOf, shortName } from './client-session.ts';
import { dialogsOf } from './dialog/client-dialogs.ts';
import { questionsFor } from './dialog/dialogs.ts';
import { callHash, type RequestState, readState } from './dialog/request-state.ts';
import { refusalOf } from './text/answer.ts';
import { instructionsFor } from './text/instructions.ts';
import { ExecuteInput, ResumeInput, tools } from './text/tools.ts';

/** How long a call waits if all connection slots are taken. Short runs finish in this time. */
const crowdedWaitMs = 1_000;

/** Creates the server for one request. The SDK handles the differences between protocol versions. */
export async function createMcpServer(
  parts: McpParts,
  exchange: Exchange,
  era: McpRequestContext['era'],
): Promise<Server> {
  const { engine, version } = parts;
  const server = new Server(
    { name: 'executor', title: 'Executor', version },
    {
      capabilities: { tools: {}, ...(era === 'modern' && { extensions: { [tasksExtension]: {} } }) },
      ...(exchange.isFirst && { instructions: await instructionsFor(engine, exchange.principal) }),
      cacheHints: { 'tools/list': { ttlMs: 3_600_000, cacheScope: 'public' } },
    },
  );
  if (era === 'modern') serveTasks(server, parts, exchange);
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const call = toolCall(server, { parts, exchange, context, era });
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
  });
  return server;
}

/** The client's capabilities come from the request since 2026-07-28, and from the session before. */
export function toolCall(
  server: Server,
  { era, ...of }: Pick<ToolCall, 'parts' | 'exchange' | 'context'> & Pick<McpRequestContext, 'era'>,
): ToolCall {
  const { sessionId } = of.exchange;
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

async function execute(call: ToolCall, input: z.output<typeof ExecuteInput>): Promise<Result> {
  const { parts, exchange, context, clientName } = call;
  const { engine, openCalls, logger } = parts;
  const { principal, ownerId, sessionId } = exchange;
  const callId = callHash('execute', input.code);
  const state = await stateOf(call, callId);
  const open = new OpenCall((id) => {
    engine.executions.cancel(principal, id).catch((err) => logger.warn({ err }, 'could not cancel a run'));
  });
  const forget = openCalls.add({ ownerId, sessionId, requestId: context.mcpReq.id }, open);
  try {
    if (state) {
      open.began(state.executionId);
      return await nextRound(call, state, input.waitMs);
    }
    return await waiting(call, input.waitMs, async (waitMs) => {
      const clientId = shortName(clientName) ?? clientNameOf(sessionId);
      const run = await engine.executions.start(principal, {
        ...input,
        waitMs,
        ...(clientId && { clientId }),
      });
      open.began(run.id);
      const begun = { executionId: run.id, waitMs, settled: run.settled };
      return { executionId: run.id, answer: () => converse(call, begun, callId) };
    });
  } finally {
    forget();
  }
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
  return waiting(call, waitMs, async (ms) => {
    const mayAsk = ms > 0 && (await questionsFor(call, run)).length > 0;
    const settled: Waiting['settled'] = async (signal) =>
      mayAsk ? run : executions.waitForAnswer(principal, executionId, { waitMs: ms }, signal);
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
  const { executionId } = state;
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
