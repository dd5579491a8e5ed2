import { type Execution, ExecutorError, isFinished, toExecutorError } from '@executor/protocol';
import {
  type CallToolResult,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { outwardError } from '../http/error-response.ts';
import { answerOf, askedSentence } from './answer.ts';
import { dialogsOf } from './client-dialogs.ts';
import type { DialogClient } from './dialogs.ts';
import { takeTaskInput, taskInputRequests } from './input-requests.ts';
import type { Exchange, McpParts } from './tool-call.ts';

/** The extension of 2026-07-28 by which a client is given a handle for a call that takes long, and asks for its result itself. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

const pollIntervalMs = 1_000;

const Capabilities = z.object({ extensions: z.object({ [tasksExtension]: z.looseObject({}) }) });

export function hasTasks(capabilities: unknown): boolean {
  return Capabilities.safeParse(capabilities).success;
}

/** A run that only takes its time. One that needs a person is answered: a model has to tell its user. */
export function isWorking({ status, interactions }: Execution): boolean {
  return !isFinished(status) && !(status === 'waiting' && interactions.length > 0);
}

/** The handle is the run's own id: what is durable is the run. */
export function createdTask(run: Execution): CallToolResult {
  // The SDK knows no such result, and adds an empty content to it, which says nothing.
  return { ...taskOf(run), status: 'working', resultType: 'task', content: [] };
}

const TaskParams = z.looseObject({ taskId: z.string().min(1).max(100) });

/**
 * A task is its run: it is over when the run is, and never before, since what was over stays so. A run that needs a person asks in the
 * client's dialogs where that is allowed; where it is not, the task works on, and says where the person can answer.
 */
export function serveTasks(server: Server, parts: McpParts, exchange: Exchange): void {
  const { engine, logger } = parts;
  const { principal } = exchange;
  const client = (): DialogClient => {
    return { parts, exchange, dialogs: dialogsOf(server.getClientCapabilities()) };
  };
  const found = async (taskId: string): Promise<Execution> => {
    if (!hasTasks(server.getClientCapabilities())) {
      const requiredCapabilities = { extensions: { [tasksExtension]: {} } };
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
    }
    return engine.executions.get(principal, taskId).catch((error) => {
      throw error instanceof ExecutorError && error.code === 'notFound' ? noSuchTask : error;
    });
  };
  const serve = (
    method: string,
    answer: (run: Execution, context: ServerContext) => Promise<Record<string, unknown>>,
  ) =>
    server.setRequestHandler(method, { params: TaskParams }, async ({ taskId }, context) => {
      try {
        return await answer(await found(taskId), context);
      } catch (thrown) {
        throw refusedTask(thrown, logger);
      }
    });
  serve('tasks/get', (run) => detailedTask(run, client()));
  serve('tasks/update', async ({ id }, { mcpReq }) => {
    await takeTaskInput(client(), id, mcpReq.inputResponses ?? {});
    return {};
  });
  serve('tasks/cancel', async ({ id }) => {
    await engine.executions.cancel(principal, id);
    return {};
  });
}

/** What went wrong inside is for the log: an agent learns that it did, and nothing of what is inside. */
function refusedTask(thrown: unknown, logger: McpParts['logger']): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown;
  const error = toExecutorError(thrown);
  const isOurs = error.code === 'internal';
  if (isOurs) logger.error({ err: thrown }, 'a request about a task failed');
  const code = isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidRequest;
  return new ProtocolError(code, outwardError(error).message);
}

async function detailedTask(run: Execution, client: DialogClient): Promise<Record<string, unknown>> {
  const task = taskOf(run);
  if (run.status === 'cancelled') return { ...task, status: 'cancelled' };
  if (isFinished(run.status)) {
    return { ...task, status: 'completed', result: await answerOf(run, client.parts.engine) };
  }
  if (run.interactions.length === 0) return { ...task, status: 'working' };
  const inputRequests = await taskInputRequests(client, run.id);
  const inDialog = Object.keys(inputRequests).length > 0;
  const statusMessage = askedSentence(run, inDialog);
  return inDialog
    ? { ...task, status: 'input_required', statusMessage, inputRequests }
    : { ...task, status: 'working', statusMessage };
}

function taskOf({ id, createdAt, startedAt, finishedAt }: Execution) {
  // Finished runs are removed after days, which nobody who asks every second will notice.
  return {
    taskId: id,
    createdAt,
    lastUpdatedAt: finishedAt ?? startedAt ?? createdAt,
    ttlMs: null,
    pollIntervalMs,
  };
}

const noSuchTask = new ProtocolError(
  ProtocolErrorCode.InvalidParams,
  'taskId: there is no task of yours with that id. Tasks of other keys cannot be seen, and finished ones are removed in time.',
);
