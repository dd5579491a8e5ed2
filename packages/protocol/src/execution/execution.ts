import * as z from 'zod';
import { PendingInteraction } from '../approval/interaction.ts';
import { PolicyDecision } from '../approval/policy.ts';
import { list, PageQuery } from '../route/list.ts';

/** `waiting`: every outstanding call needs a person or a timer. */
export const ExecutionStatus = z
  .enum(['queued', 'running', 'waiting', 'completed', 'failed', 'cancelled'])
  .meta({ id: 'ExecutionStatus' });
export type ExecutionStatus = z.infer<typeof ExecutionStatus>;

export function isFinished(status: ExecutionStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

export const ExecutionLimits = z
  .strictObject({
    cpuMs: z.int().min(1).describe('Total CPU time of the code; waiting costs nothing'),
    memoryMb: z.int().min(4).max(1024),
    calls: z.int().min(0).describe('Total number of tool calls'),
    resultBytes: z.int().min(0),
    logBytes: z.int().min(0),
  })
  .meta({ id: 'ExecutionLimits' });
export type ExecutionLimits = z.infer<typeof ExecutionLimits>;

const maxMetadataBytes = 16 * 1024;
const label = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters');

/** The longest that one request may wait. */
export const maxWaitMs = 5 * 60_000;
const waitMs = z.coerce.number().int().min(0).max(maxWaitMs);

export const NewExecution = z
  .strictObject({
    code: z.string().min(1).describe('TypeScript; see docs/reference/sandbox.md for the forms it may take'),
    runtimeId: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('The sandbox that runs the code; default: `quickjs`'),
    waitMs: waitMs
      .default(0)
      .describe('How long to wait for the end before responding; the run continues either way'),
    limits: ExecutionLimits.partial().optional().describe('Each at most the limit of the workspace'),
    typecheck: z.boolean().optional().describe('false: run the code even if it has type errors'),
    clientId: label.optional().describe('The agent application that starts the run'),
    metadata: z
      .record(z.string(), z.json())
      .refine(
        (value) => JSON.stringify(value).length <= maxMetadataBytes,
        `must be at most ${maxMetadataBytes} characters of JSON`,
      )
      .optional()
      .describe('Stored with the run, for its caller'),
    idempotencyKey: label.optional().describe('A second request with this key returns the run of the first'),
  })
  .meta({ id: 'NewExecution' });
export type NewExecution = z.infer<typeof NewExecution>;

/** In the `_meta` of an MCP call: a program made its idempotency key to repeat the call after a lost response. */
export const generatedKeyMark = 'executor/generatedKey';

export const ExecutionError = z
  .object({
    code: z
      .string()
      .describe(
        'threw, unhandled, unsettled, syntax, limit, timedOut, outOfMemory, crashed, nondeterminism, typecheck or internal',
      ),
    message: z.string(),
    name: z.string().optional(),
    line: z.int().optional(),
    column: z.int().optional(),
    excerpt: z.string().optional().describe('The lines around the error, with a marker'),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'ExecutionError' });
export type ExecutionError = z.infer<typeof ExecutionError>;

export const LogLine = z
  .object({
    at: z.iso.datetime(),
    level: z.enum(['debug', 'info', 'log', 'warn', 'error']),
    text: z.string(),
  })
  .meta({ id: 'LogLine' });
export type LogLine = z.infer<typeof LogLine>;

/** A part of a response that was left out to keep it short, and where to get the whole. */
export const Omission = z
  .object({
    bytes: z.int().describe('Size of the whole'),
    shownBytes: z.int(),
    artifactId: z.string().optional().describe('The whole, as an artifact'),
    hint: z.string().describe('How to get the rest'),
  })
  .meta({ id: 'Omission' });
export type Omission = z.infer<typeof Omission>;

const Diagnostic = z
  .object({
    message: z.string(),
    code: z.int().optional().describe('The TypeScript error code'),
    line: z.int().optional(),
    column: z.int().optional(),
  })
  .meta({ id: 'Diagnostic' });
export type Diagnostic = z.infer<typeof Diagnostic>;

/** `pending`: a timer that had not fired when the run ended. Its callback did not run. */
export const UnawaitedCall = z
  .object({
    path: z.string().describe('The tool, or setTimeout or setInterval'),
    line: z.int().optional().describe('The line that made the call'),
    outcome: z.enum(['succeeded', 'failed', 'denied', 'pending']),
    message: z.string().optional().describe('The beginning of the error'),
  })
  .meta({ id: 'UnawaitedCall' });
export type UnawaitedCall = z.infer<typeof UnawaitedCall>;

export const ExecutionUsage = z
  .object({
    cpuMs: z.number(),
    memoryBytes: z.number(),
    calls: z.int(),
    logBytes: z.int(),
    resultBytes: z.int(),
  })
  .meta({ id: 'ExecutionUsage' });
export type ExecutionUsage = z.infer<typeof ExecutionUsage>;

const summary = {
  id: z.string(),
  status: ExecutionStatus,
  workspaceId: z.string(),
  actorId: z.string(),
  clientId: z.string().optional(),
  runtimeId: z.string(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().optional(),
  finishedAt: z.iso.datetime().optional(),
  error: ExecutionError.optional(),
};

export const Execution = z
  .object({
    ...summary,
    ownerId: z
      .string()
      .optional()
      .describe('The owner: the key of the agent that started it, an OAuth client, or a person'),
    code: z.string(),
    result: z
      .unknown()
      .optional()
      .describe('The result of a completed run; large results are cut, see `omitted`'),
    returned: z
      .literal(true)
      .optional()
      .describe(
        'The code has returned. The run ends when the calls that the code did not await have settled',
      ),
    unawaited: z
      .array(UnawaitedCall)
      .optional()
      .describe('Calls that settled after the code had returned, and timers that were pending. At most 400'),
    hints: z
      .array(z.string())
      .optional()
      .describe('Sentences for the author of the code, such as that a tool has more pages'),
    logs: z.array(LogLine),
    omitted: z.object({ result: Omission.optional(), logs: Omission.optional() }).optional(),
    removed: z
      .object({ at: z.iso.datetime(), bytes: z.int(), hint: z.string() })
      .optional()
      .describe('Its artifacts and the large inputs and outputs of its calls were deleted to make room'),
    diagnostics: z
      .array(Diagnostic)
      .optional()
      .describe('Type errors that did not stop the run, or why the types were not checked'),
    interactions: z.array(PendingInteraction).describe('Pending questions for a person'),
    limits: ExecutionLimits,
    usage: ExecutionUsage.optional(),
    metadata: z.record(z.string(), z.json()).optional(),
    url: z.string().optional().describe('The page of this run'),
  })
  .meta({ id: 'Execution' });
export type Execution = z.infer<typeof Execution>;

export const ExecutionSummary = z
  .object({
    ...summary,
    codeExcerpt: z.string().describe('The beginning of its code'),
    pendingInteractions: z.int(),
  })
  .meta({ id: 'ExecutionSummary' });
export type ExecutionSummary = z.infer<typeof ExecutionSummary>;

export const ExecutionList = list(ExecutionSummary).meta({ id: 'ExecutionList' });

export const ExecutionQuery = PageQuery.extend({
  status: ExecutionStatus.optional(),
  clientId: label.optional(),
});
export type ExecutionQuery = z.infer<typeof ExecutionQuery>;

export const Wait = z.strictObject({ waitMs: waitMs.default(25_000) }).meta({ id: 'Wait' });

/** One tool call of a run. `uncertain`: it was sent, and its result is unknown. `abandoned`: the run ended, or its code gave the call up, before its result. */
export const Call = z
  .object({
    id: z.string(),
    index: z.int(),
    path: z.string(),
    input: z.unknown(),
    status: z.enum([
      'requested',
      'waiting',
      'dispatched',
      'uncertain',
      'succeeded',
      'failed',
      'denied',
      'abandoned',
    ]),
    decision: z
      .object({ decision: PolicyDecision, ruleId: z.string().optional(), reason: z.string() })
      .optional(),
    result: z.unknown().optional(),
    error: z.object({ name: z.string(), message: z.string(), details: z.unknown().optional() }).optional(),
    omitted: z
      .object({ input: Omission.optional(), result: Omission.optional() })
      .optional()
      .describe('Values that were deleted to make room'),
    requestedAt: z.iso.datetime(),
    dispatchedAt: z.iso.datetime().optional(),
    finishedAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'Call' });
export type Call = z.infer<typeof Call>;

export const CallList = list(Call).meta({ id: 'CallList' });

/** The result of replaying a finished run from its journal. A replay sends nothing. */
export const ReplayReport = z
  .object({
    matched: z.boolean(),
    message: z.string(),
    calls: z.int(),
    completions: z.int(),
    recorded: z.unknown().optional().describe('How the run ended'),
    replayed: z.unknown().optional().describe('How the replay ended'),
  })
  .meta({ id: 'ReplayReport' });
export type ReplayReport = z.infer<typeof ReplayReport>;
