import {
  acceptedContent,
  type CallToolResult,
  type GetPromptResult,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { callHash, type RequestState, readState, signState } from '../../src/mcp/dialog/request-state.ts';
import type { ToolRequest } from './fixture-tool.ts';

/** Tools that need input of the client. In the protocol of 2026-07-28 the response asks for it, and the client calls again. */
type Answer = CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>;

const ask = (message: string, field: string, isFlag = false): InputRequest =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [field]: isFlag ? { type: 'boolean' } : { type: 'string' } },
      required: [field],
    },
  });
const think = (text: string, maxTokens: number): InputRequest =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });
const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

export const askName = () => ask('What is your name?', 'name');

/** The state between rounds is signed and read as in the product. Each round is one step. */
async function stateFor({ name, exchange, parts }: ToolRequest, round: number): Promise<string> {
  const { ownerId } = exchange;
  const expiresAt = Date.now() + 60_000;
  const nothing = { executionId: 'exe_none', asked: [], putOff: [] };
  return signState(
    { ownerId, call: callHash(name, ''), round, expiresAt, ...nothing },
    await parts.stateKey(),
  );
}

async function stateOf({ name, exchange, parts, context }: ToolRequest): Promise<RequestState | undefined> {
  const text = context.mcpReq.requestState<string>();
  if (text === undefined) return undefined;
  const expected = { ownerId: exchange.ownerId, call: callHash(name, ''), now: Date.now() };
  return readState(text, await parts.stateKey(), expected);
}

export const askingTools: Record<string, (request: ToolRequest) => Answer> = {
  test_input_required_result_elicitation({ context }) {
    const response = acceptedContent(context.mcpReq.inputResponses, 'user_name');
    if (typeof response?.name !== 'string') return inputRequired({ inputRequests: { user_name: askName() } });
    return textResult(`Hello, ${response.name}!`);
  },
  test_input_required_result_sampling({ context }) {
    const response = inputResponse(context.mcpReq.inputResponses, 'capital_question');
    if (response.kind === 'sampling') return textResult(JSON.stringify(response));
    return inputRequired({
      inputRequests: { capital_question: think('What is the capital of France?', 100) },
    });
  },
  test_input_required_result_list_roots({ context }) {
    const response = inputResponse(context.mcpReq.inputResponses, 'client_roots');
    if (response.kind === 'roots') return textResult(JSON.stringify(response));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  async test_input_required_result_multiple_inputs(request) {
    const responses = request.context.mcpReq.inputResponses ?? {};
    await stateOf(request);
    const inputRequests = {
      user_name: askName(),
      greeting: think('Generate a greeting', 50),
      client_roots: inputRequired.listRoots(),
    };
    if (Object.keys(inputRequests).every((key) => key in responses)) return textResult('All three came.');
    return inputRequired({ inputRequests, requestState: await stateFor(request, 1) });
  },
  async test_input_required_result_multi_round(request) {
    const { inputResponses } = request.context.mcpReq;
    const step = (await stateOf(request))?.round ?? 0;
    if (step === 2 && acceptedContent(inputResponses, 'step2')) return textResult('Both steps came.');
    const isSecond = step === 1 && acceptedContent(inputResponses, 'step1') !== undefined;
    const inputRequests: Record<string, InputRequest> = isSecond
      ? { step2: ask('Step 2: What is your favorite color?', 'color') }
      : { step1: ask('Step 1: What is your name?', 'name') };
    return inputRequired({ inputRequests, requestState: await stateFor(request, isSecond ? 2 : 1) });
  },
  test_input_required_result_capabilities({ server }) {
    const capabilities = server.getClientCapabilities() ?? {};
    return inputRequired({
      inputRequests: {
        ...('sampling' in capabilities && { thought: think('Think of something.', 10) }),
        ...('elicitation' in capabilities && { user_name: askName() }),
      },
    });
  },
  test_streaming_elicitation: () => inputRequired({ inputRequests: { user_name: askName() } }),
};

async function confirmed(request: ToolRequest): Promise<CallToolResult | InputRequiredResult> {
  const { inputResponses } = request.context.mcpReq;
  if ((await stateOf(request)) !== undefined && acceptedContent(inputResponses, 'confirm'))
    return textResult('state-ok');
  return inputRequired({
    inputRequests: { confirm: ask('Please confirm', 'ok', true) },
    requestState: await stateFor(request, 1),
  });
}

export function askingPrompt({ mcpReq }: ServerContext): GetPromptResult | InputRequiredResult {
  const response = acceptedContent(mcpReq.inputResponses, 'user_context');
  if (response === undefined) {
    return inputRequired({
      inputRequests: { user_context: ask('What context should the prompt use?', 'context') },
    });
  }
  return { messages: [{ role: 'user', content: { type: 'text', text: `With ${response.context}.` } }] };
}
