import {
  acceptedContent,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  MissingRequiredClientCapabilityError,
} from '@modelcontextprotocol/server';
import { createdTask, hasTasks, isWorking, tasksExtension } from '../../src/mcp/call/tasks.ts';
import { answerOf } from '../../src/mcp/text/answer.ts';
import { askName } from './fixture-input.ts';
import type { FixtureTool, ToolRequest } from './fixture-tool.ts';

/** Long tools as runs of the product, so that the suite tests the product's own tasks. */
export const taskTools: Record<string, FixtureTool> = {
  greet: {
    description: 'Greets at once',
    call: ({ arguments: { name } }) => ({ content: [{ type: 'text', text: `Hello, ${name}!` }] }),
  },
  slow_compute: {
    description: 'Takes that many tenths of a second, where the suite means seconds',
    call: (request) => run(request, `await sleep(${Number(request.arguments.seconds) * 100}); return "done"`),
  },
  failing_job: {
    description: 'Fails after a while; takes a client that has tasks',
    call: (request) => requiringTasks(request, 'await sleep(100); throw new Error("on purpose")'),
  },
  // Code cannot cause a fault of the server; see the exceptions.
  protocol_error_job: {
    description: 'Fails',
    call: (request) => run(request, 'throw new Error("on purpose")'),
  },
  confirm_delete: {
    description: 'Asks once',
    call: (request) => run(request, 'return tools.notes.ask({})'),
  },
  multi_input: {
    description: 'Asks two things at once',
    call: (request) => run(request, 'return Promise.all([tools.notes.ask({}), tools.notes.ask({})])'),
  },
  test_tool_with_task: {
    description: 'Asks first, and takes long then',
    call(request) {
      const content = acceptedContent(request.context.mcpReq.inputResponses, 'user_name');
      if (content === undefined) return inputRequired({ inputRequests: { user_name: askName() } });
      return requiringTasks(request, `await sleep(300); return ${JSON.stringify(content.name)}`);
    },
  },
};

function requiringTasks(request: ToolRequest, code: string): Promise<CallToolResult | InputRequiredResult> {
  if (hasTasks(request.server.getClientCapabilities())) return run(request, code);
  const requiredCapabilities = { extensions: { [tasksExtension]: {} } };
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
}

async function run({ server, parts, exchange }: ToolRequest, code: string): Promise<CallToolResult> {
  const { executions } = parts.engine;
  const takesTasks = hasTasks(server.getClientCapabilities());
  const begun = await executions.start(exchange.principal, { code, waitMs: takesTasks ? 0 : 5_000 });
  const state = await begun.settled();
  return takesTasks && isWorking(state) ? createdTask(state) : answerOf(state, parts.engine);
}
