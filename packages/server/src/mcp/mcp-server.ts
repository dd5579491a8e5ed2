import type { Engine } from '@executor/engine';
import { ExecutorError, issueSentence, type Principal, toExecutorError } from '@executor/protocol';
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import type * as z from 'zod';
import { outwardError } from '../http/error-response.ts';
import type { Places } from '../http/places.ts';
import { answerOf, refusalOf } from './answer.ts';
import { clientNameOf, shortName } from './client-session.ts';
import { instructionsFor } from './instructions.ts';
import { OpenCall, type OpenCalls } from './open-calls.ts';
import { reportProgress } from './progress.ts';
import { ExecuteInput, ResumeInput, tools } from './tools.ts';

export interface McpParts {
  engine: Engine;
  version: string;
  logger: Logger;
  /** Those who wait for a run, each of whom holds a connection. */
  waits: Places;
  openCalls: OpenCalls;
}

/** One request and whoever made it. */
export interface Exchange {
  /** An agent, always. */
  principal: Principal;
  ownerId: string;
  sessionId: string;
  /** Whether the client introduces itself, and is told how to work here. */
  isFirst: boolean;
  /** Aborted when the client has gone or the server stops; that cancels no run. */
  left: AbortSignal;
}

/** How long a call may wait where all places for waiting are taken: enough for what is quick. */
const crowdedWaitMs = 1_000;

/** What answers one request; of either era of the protocol, which is the SDK's business. */
export async function createMcpServer(parts: McpParts, exchange: Exchange): Promise<Server> {
  const { engine, version } = parts;
  const server = new Server(
    { name: 'executor', title: 'Executor', version },
    {
      capabilities: { tools: {} },
      ...(exchange.isFirst && { instructions: await instructionsFor(engine, exchange.principal) }),
      cacheHints: { 'tools/list': { ttlMs: 3_600_000, cacheScope: 'public' } },
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const call = { parts, exchange, context, clientName: server.getClientVersion()?.name };
    switch (params.name) {
      case 'execute':
        return answering(call, ExecuteInput, params.arguments, execute);
      case 'resume':
        return answering(call, ResumeInput, params.arguments, resume);
      default:
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          'There is no such tool; there are execute and resume.',
        );
    }
  });
  return server;
}

interface ToolCall {
  parts: McpParts;
  exchange: Exchange;
  context: ServerContext;
  clientName: string | undefined;
}

/** Whatever goes wrong is an answer that a model can act on. */
async function answering<Schema extends z.ZodType>(
  call: ToolCall,
  schema: Schema,
  given: unknown,
  answer: (call: ToolCall, input: z.output<Schema>) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  const input = schema.safeParse(given ?? {});
  if (!input.success) {
    const message = `The input is not right: ${issueSentence(input.error)}.`;
    return refusalOf(new ExecutorError('invalidRequest', message));
  }
  try {
    return await answer(call, input.data);
  } catch (thrown) {
    const error = toExecutorError(thrown);
    if (error.code === 'internal') call.parts.logger.error({ err: thrown }, 'an MCP call failed');
    return refusalOf(outwardError(error));
  }
}

async function execute(call: ToolCall, input: z.output<typeof ExecuteInput>): Promise<CallToolResult> {
  const { parts, exchange, context, clientName } = call;
  const { engine, openCalls, logger } = parts;
  const { principal, ownerId, sessionId } = exchange;
  const open = new OpenCall((id) => {
    engine.executions.cancel(principal, id).catch((err) => logger.warn({ err }, 'a run was not cancelled'));
  });
  const forget = openCalls.add({ ownerId, sessionId, requestId: context.mcpReq.id }, open);
  try {
    return await waiting(call, input.waitMs, async (waitMs) => {
      const clientId = shortName(clientName) ?? clientNameOf(sessionId);
      const run = await engine.executions.start(principal, {
        ...input,
        waitMs,
        ...(clientId && { clientId }),
      });
      open.began(run.id);
      return { executionId: run.id, settled: run.settled };
    });
  } finally {
    forget();
  }
}

async function resume(
  call: ToolCall,
  { executionId, waitMs }: z.output<typeof ResumeInput>,
): Promise<CallToolResult> {
  const { executions } = call.parts.engine;
  const { principal } = call.exchange;
  await executions.get(principal, executionId).catch((error) => {
    throw error instanceof ExecutorError && error.code === 'notFound' ? noSuchRun : error;
  });
  return waiting(call, waitMs, async (ms) => ({
    executionId,
    settled: (signal) => executions.waitForAnswer(principal, executionId, { waitMs: ms }, signal),
  }));
}

const noSuchRun = new ExecutorError(
  'notFound',
  'There is no run of yours with that executionId. Give the one that execute answered with; runs of other keys cannot be seen, and finished ones are removed in time.',
);

interface Begun {
  executionId: string;
  settled(signal: AbortSignal): ReturnType<Engine['executions']['get']>;
}

/** Waits in a place for it, and tells meanwhile how far the run is. */
async function waiting(
  { parts, exchange, context }: ToolCall,
  waitMs: number,
  begin: (waitMs: number) => Promise<Begun>,
): Promise<CallToolResult> {
  const { engine, waits } = parts;
  const { principal, left } = exchange;
  const free = waitMs > 0 ? waits.take(principal) : undefined;
  try {
    const { executionId, settled } = await begin(free ? waitMs : Math.min(waitMs, crowdedWaitMs));
    const stopReporting = reportProgress(engine, { principal, executionId }, context);
    try {
      return await answerOf(await settled(left), engine);
    } finally {
      stopReporting();
    }
  } finally {
    free?.();
  }
}
