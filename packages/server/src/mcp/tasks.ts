import { type Execution, ExecutorError, isFinished, toExecutorError } from '@executor/protocol';
import {
  type CallToolResult,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { outwardError } from '../http/error-response.ts';
import { answerOf } from './answer.ts';
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
 * Nothing is asked in a task: a run that comes to need a person completes it with an answer that says so, and `resume` asks. So there is one
 * way in which questions reach a client, and updates of tasks have nothing to answer.
 */
export function serveTasks(server: Server, parts: McpParts, exchange: Exchange): void {
  const { engine, logger } = parts;
  const { principal } = exchange;
  const found = async (taskId: string): Promise<Execution> => {
    if (!hasTasks(server.getClientCapabilities())) {
      const requiredCapabilities = { extensions: { [tasksExtension]: {} } };
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
    }
    return engine.executions.get(principal, taskId).catch((error) => {
      throw error instanceof ExecutorError && error.code === 'notFound' ? noSuchTask : error;
    });
  };
  const serve = (method: string, answer: (run: Execution) => Promise<Record<string, unknown>>) =>
    server.setRequestHandler(method, { params: TaskParams }, async ({ taskId }) => {
      try {
        return await answer(await found(taskId));
      } catch (thrown) {
        throw refusedTask(thrown, logger);
      }
    });
  serve('tasks/get', (run) => detailedTask(run, parts));
  serve('tasks/update', async () => ({}));
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

async function detailedTask(run: Execution, { engine }: McpParts): Promise<Record<string, unknown>> {
  const task = taskOf(run);
  if (run.status === 'cancelled') return { ...task, status: 'cancelled' };
  if (isWorking(run)) return { ...task, status: 'working' };
  return { ...task, status: 'completed', result: await answerOf(run, engine) };
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
