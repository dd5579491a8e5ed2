import type { Agent, AgentSession } from './task.ts';

/** A real model behind an OpenAI-compatible URL, such as `https://api.openai.com/v1`. */
export interface Model {
  url: string;
  name: string;
  key?: string | undefined;
}

interface ToolRequest {
  id: string;
  function: { name: string; arguments: string };
}

interface Reply {
  content: string | null;
  tool_calls?: ToolRequest[];
}

const maxTurns = 30;

const rules = `You solve a task with the tools of an MCP server. Nobody answers questions, but a user sees every answer of a tool that waits for them, and reacts at once.
When the task is done, answer with one last line: ANSWER: and the final answer as JSON, such as ANSWER: 12 or ANSWER: "done".`;

/** Lets the model call the tools until it answers without a call. */
export function modelAgent(model: Model): Agent {
  return async ({ text }, session) => {
    const system =
      session.instructions === ''
        ? rules
        : `${rules}\n\nInstructions of the server:\n${session.instructions}`;
    const messages: object[] = [
      { role: 'system', content: system },
      { role: 'user', content: text },
    ];
    for (let turn = 0; turn < maxTurns; turn++) {
      const reply = await ask(model, messages, session.tools);
      messages.push({ role: 'assistant', ...reply });
      if (!reply.tool_calls?.length) return answerIn(reply.content ?? '');
      for (const request of reply.tool_calls)
        messages.push({ role: 'tool', tool_call_id: request.id, content: await callTool(request, session) });
    }
    return undefined;
  };
}

async function callTool(
  { function: { name, arguments: text } }: ToolRequest,
  session: AgentSession,
): Promise<string> {
  const answer = (await session.call(name, argumentsIn(text))).join('\n');
  if (/"status":"waiting"/.test(answer)) await session.showUser(answer);
  return answer;
}

/** Models write JSON that is not valid. Executor explains what is missing. */
function argumentsIn(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

async function ask(
  { url, name, key }: Model,
  messages: object[],
  tools: AgentSession['tools'],
): Promise<Reply> {
  const response = await fetch(`${url.replace(/\/$/, '')}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({
      model: name,
      messages,
      tools: tools.map((tool) => {
        const { name: toolName, description, inputSchema } = tool;
        return { type: 'function', function: { name: toolName, description, parameters: inputSchema } };
      }),
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The model answers with ${response.status}: ${text.slice(0, 500)}`);
  const message: Reply | undefined = JSON.parse(text).choices?.[0]?.message;
  if (!message) throw new Error(`The model answers without a message: ${text.slice(0, 500)}`);
  const { content = null, tool_calls } = message;
  return { content, ...(tool_calls && { tool_calls }) };
}

/** The JSON after the last `ANSWER:`, or else the whole text. */
function answerIn(text: string): unknown {
  const answer =
    text
      .split(/ANSWER:\s*/)
      .at(-1)
      ?.trim() ?? '';
  try {
    return JSON.parse(answer);
  } catch {
    return answer;
  }
}
