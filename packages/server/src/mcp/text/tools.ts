import { NewExecution } from '@executor/protocol';
import type { Tool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { VisibleSource } from './visible-sources.ts';

/** Shorter than the shortest timeout that MCP clients set for a call. */
const defaultWaitMs = 25_000;
/** Many clients give up after 60 seconds. */
const maxWaitMs = 50_000;

const { idempotencyKey } = NewExecution.shape;
const noCode = 'Pass TypeScript code';
const waitMs = z
  .number()
  .min(0)
  .default(defaultWaitMs)
  .describe(`Milliseconds to wait for the result, at most ${maxWaitMs}. The run continues either way`)
  .transform((ms) => Math.min(Math.round(ms), maxWaitMs));

export const ExecuteInput = z.strictObject({
  code: z.string(noCode).min(1, noCode).describe('TypeScript'),
  waitMs,
  idempotencyKey: idempotencyKey.describe('A second call with the same key returns the same run'),
});

export const ResumeInput = z.strictObject({
  executionId: z.string('It must be the one in the answer of execute').min(1).max(100),
  waitMs,
});

/** Claude Code offers tools with this mark without a search. */
const _meta = { 'anthropic/alwaysLoad': true };

const execute: Tool = {
  name: 'execute',
  title: 'Run code',
  inputSchema: jsonSchema(ExecuteInput),
  _meta,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
};

const resume: Tool = {
  name: 'resume',
  title: 'Wait for a run',
  description:
    'Waits for a `waiting` or `running` run and answers as `execute` does. It cannot approve: your user does that at the url.',
  inputSchema: jsonSchema(ResumeInput),
  _meta,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};

/**
 * The two tools that an agent sees. Every word stays in the agent's context, so the descriptions are short; the server's instructions
 * explain what code can do. There is no output schema, because a result is any value that the code returns.
 */
export function toolsFor(sources: VisibleSource[]): Tool[] {
  return [{ ...execute, description: `${openingOf(sources)} ${usage}` }, resume];
}

const usage =
  'Operations are `tools.*` in the sandbox. Use `await` and `return`. Answers with the returned value, or with `waiting` and a url if your user must approve a call.';

/** Some programs show models no more of a description, and no instructions. */
const shownCharacters = 160;
const start = 'Start with `return await tools.discover({ query })`.';
const maxNames = 4;
const maxNameCharacters = 24;

/** What `execute` reaches and how to start, in two sentences that fit into the shown characters. */
function openingOf(sources: VisibleSource[]): string {
  const confirmed = sources.filter(({ isUnconfirmed }) => !isUnconfirmed).map(({ namespace }) => namespace);
  const short = confirmed.filter((namespace) => namespace.length <= maxNameCharacters);
  for (let names = Math.min(maxNames, short.length); names >= 0; names--) {
    const opening = `${reach(short.slice(0, names), sources.length)} ${start}`;
    if (opening.length <= shownCharacters) return opening;
  }
  return start;
}

function reach(names: string[], total: number): string {
  if (total === 0) return 'Runs TypeScript that calls connected systems (none yet).';
  const more = total - names.length;
  if (names.length === 0)
    return `Runs TypeScript that calls ${total} connected ${total === 1 ? 'system' : 'systems'}.`;
  const last = more > 0 ? ` and ${more} more` : '';
  return `Runs TypeScript that calls ${names.join(', ')}${last}.`;
}

function jsonSchema(schema: z.ZodType): Tool['inputSchema'] {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest as Tool['inputSchema'];
}
