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
import { outwardError } from '../../http/error-response.ts';
import { dialogsOf } from '../dialog/client-dialogs.ts';
import type { DialogClient } from '../dialog/dialogs.ts';
import { takeTaskInput, taskInputRequests } from '../dialog/input-requests.ts';
import { answerOf, taskStatusMessage } from '../text/answer.ts';
import type { Exchange, McpParts } from './tool-call.ts';

/** The extension of 2026-07-28 that gives a client a handle for a long call. The client polls for the result. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

const pollIntervalMs = 1_000;

const Capabilities = z.object({ extensions: z.object({ [tasksExtension]: z.looseObject({}) }) });

export function hasTasks(capabilities: unknown): boolean {
  return Capabilities.safeParse(capabilities).success;
}

/** A run that needs only time. A run that needs its user is answered at once instead, so that the model can ask the user. */
export function isWorking({ status, interactions }: Execution): boolean {
  return !isFinished(status) && !(status === 'waiting' && interactions.length > 0);
}

/** The task id is the run's id, so tasks need no storage of their own. */
export function createdTask(run: Execution): CallToolResult {
  // The SDK does not know this result type and would add an empty `content`.
  return { ...taskOf(run), status: 'working', resultType: 'task', content: [] };
}

const TaskParams = z.looseObject({ taskId: z.string().min(1).max(100) });

/**
 * A task is a view of its run and ends when the run ends. If the run needs an answer, the task asks in the client's dialogs if the key
 * allows that. Otherwise the task stays `working` and says where the user can answer.
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

/** Details of internal errors go to the log only; the agent learns that the request failed. */
function refusedTask(thrown: unknown, logger: McpParts['logger']): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown;
  const error = toExecutorError(thrown);
  const isOurs = error.code === 'internal';
  if (isOurs) logger.error({ err: thrown }, 'task request failed');
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
  const statusMessage = taskStatusMessage(run, inDialog);
  return inDialog
    ? { ...task, status: 'input_required', statusMessage, inputRequests }
    : { ...task, status: 'working', statusMessage };
}

function taskOf({ id, createdAt, startedAt, finishedAt }: Execution) {
  // Finished runs are deleted after days, long after a polling client has read the result.
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
  'taskId: you have no task with that id. You cannot see tasks of other keys, and old finished tasks are deleted.',
);
