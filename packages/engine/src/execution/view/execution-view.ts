import {
  type Execution,
  type ExecutionSummary,
  isFinished,
  type LogLine,
  type PendingInteraction,
  type Principal,
  type UnawaitedCall,
} from '@executor/protocol';
import { interactionUrl } from '../../interaction/interaction-view.ts';
import type { ExecutionListRow, ExecutionRow } from '../../ports/execution-store.ts';
import type { InteractionRow } from '../../ports/interaction-store.ts';

/** How much of the log is shown with a run. */
const shownLogBytes = 32 * 1024;
/** The sandbox cuts longer lines and says so at their end. */
const shownLineBytes = shownLogBytes + 256;

interface Parts {
  logs: { at: number; level: LogLine['level']; text: string }[];
  pending: InteractionRow[];
  /** Whether the journal says that the code has returned. */
  returned?: boolean | undefined;
  unawaited?: UnawaitedCall[] | undefined;
  hints?: string[] | undefined;
  baseUrl: string;
}

/** A run, as its API shows it to that principal. */
export function executionView(
  row: ExecutionRow,
  { logs, pending, returned, unawaited, hints, baseUrl }: Parts,
  principal: Principal,
): Execution {
  const shown = shownLogs(logs, row);
  const omitted = { ...row.omitted, ...(shown.omitted && { logs: shown.omitted }) };
  return {
    ...summaryFields(row),
    ownerId: row.ownerId,
    code: row.code,
    ...(row.result !== null && { result: JSON.parse(row.result) }),
    ...(returned && !isFinished(row.status) && { returned }),
    ...(unawaited && { unawaited }),
    ...(hints && { hints }),
    logs: shown.lines,
    ...(Object.keys(omitted).length > 0 && { omitted }),
    ...(row.removed && { removed: row.removed }),
    interactions: pending.map((interaction) => pendingView(interaction, baseUrl, principal)),
    limits: row.limits,
    ...(row.usage && { usage: row.usage }),
    ...(row.metadata && { metadata: row.metadata as NonNullable<Execution['metadata']> }),
    url: `${baseUrl}/executions/${row.id}`,
  };
}

export function executionSummary({
  codeExcerpt,
  pendingInteractions,
  ...row
}: ExecutionListRow): ExecutionSummary {
  return { ...summaryFields(row), codeExcerpt, pendingInteractions };
}

function summaryFields(row: Omit<ExecutionListRow, 'codeExcerpt' | 'pendingInteractions'>) {
  return {
    id: row.id,
    status: row.status,
    workspaceId: row.workspaceId,
    actorId: row.actorId,
    ...(row.clientId !== null && { clientId: row.clientId }),
    runtimeId: row.runtimeId,
    createdAt: row.createdAt.toISOString(),
    ...(row.startedAt && { startedAt: row.startedAt.toISOString() }),
    ...(row.finishedAt && { finishedAt: row.finishedAt.toISOString() }),
    ...(row.error && { error: row.error }),
  };
}

/** An agent sees the question and the page where a person answers, but nothing with which it could answer itself. */
function pendingView(
  { id, kind, prompt }: InteractionRow,
  baseUrl: string,
  principal: Principal,
): PendingInteraction {
  return { ...(principal.kind === 'person' && { id }), kind, prompt, url: interactionUrl(baseUrl, id) };
}

function shownLogs(
  logs: Parts['logs'],
  { id, limits }: Pick<ExecutionRow, 'id' | 'limits'>,
): { lines: LogLine[]; omitted?: NonNullable<Execution['omitted']>['logs'] } {
  const bytes = logs.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const lines: LogLine[] = [];
  let shownBytes = 0;
  // The end of a log is more useful than its beginning.
  for (const { at, level, text } of logs.toReversed()) {
    const size = Buffer.byteLength(text);
    if (shownBytes + size > shownLogBytes && lines.length > 0) break;
    const fitting = size > shownLineBytes ? `${firstBytes(text, shownLogBytes)}…` : text;
    lines.unshift({ at: new Date(at).toISOString(), level, text: fitting });
    shownBytes += Buffer.byteLength(fitting);
  }
  if (bytes <= shownLogBytes) return { lines };
  const hint = `The log (up to ${limits.logBytes} bytes) is in the run's events: GET /v1/executions/${id}/events, or executor executions events ${id}.`;
  return { lines, omitted: { bytes, shownBytes, hint } };
}

/** Whole characters only. */
function firstBytes(text: string, bytes: number): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
}
