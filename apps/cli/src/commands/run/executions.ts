import type { Client } from '@executor/client';
import {
  type ExecutionEvent,
  type ExecutionStatus,
  type ExecutionSummary,
  ExecutorError,
  nearest,
  printable,
} from '@executor/protocol';
import type { Environment } from '../../environment.ts';
import { ago, duration, indented, jsonText, oneLine } from '../../output.ts';
import { followJournal } from '../../run/follow-journal.ts';
import { cancelSentence } from '../../run/outcome.ts';
import { SteadyServer } from '../../run/steady-server.ts';
import { completeId } from '../../server/complete-id.ts';
import { connect } from '../../server/connect.ts';
import { allItems } from '../../server/items.ts';
import { style } from '../../style.ts';

interface ListOptions {
  status?: ExecutionStatus;
  client?: string;
  limit: string;
  cursor?: string;
  json?: boolean;
}

export async function listExecutions(environment: Environment, options: ListOptions): Promise<void> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > 200)
    throw new ExecutorError('usage', `--limit must be a number from 1 to 200, got "${options.limit}".`);
  const client = await connect(environment);
  const page = await client.executions.list({
    limit,
    ...(options.status && { status: options.status }),
    ...(options.client !== undefined && { clientId: options.client }),
    ...(options.cursor !== undefined && { cursor: options.cursor }),
  });
  if (options.json) return environment.printJson(page);
  if (page.items.length === 0) return environment.print(emptyList(options));
  environment.printTable(
    ['ID', 'STATUS', 'AGE', 'TOOK', 'CLIENT', 'CODE'],
    page.items.map((item) => executionRow(item)),
  );
  if (page.nextCursor !== undefined)
    environment.printError(
      style.dim(`There are more: add --cursor ${page.nextCursor}, or a larger --limit.`),
    );
}

function emptyList({ status, client, cursor }: ListOptions): string {
  if (status !== undefined || client !== undefined || cursor !== undefined) return 'No run matches.';
  return `There are no runs yet. Try: executor call 'return 1 + 1'`;
}

/** A run as a row of a list. */
export function executionRow(item: ExecutionSummary, now = Date.now()): string[] {
  const { id, status, createdAt, startedAt, finishedAt, clientId, codeExcerpt, pendingInteractions } = item;
  const took =
    startedAt === undefined
      ? ''
      : duration((finishedAt ? Date.parse(finishedAt) : now) - Date.parse(startedAt));
  return [
    id,
    pendingInteractions > 0 ? `${status} (${pendingInteractions})` : status,
    ago(createdAt, now),
    took,
    oneLine(clientId ?? '', 24),
    oneLine(codeExcerpt.trim().split('\n')[0] ?? '', 60),
  ];
}

interface EventsOptions {
  follow?: boolean;
  after?: string;
  json?: boolean;
}

export async function printEvents(
  environment: Environment,
  typedId: string,
  { follow = false, after, json = false }: EventsOptions,
): Promise<void> {
  const client = await connect(environment);
  const id = await completeId(client, 'execution', typedId);
  const print = (event: ExecutionEvent) => environment.print(json ? jsonText(event) : eventLine(event));
  await client.executions.get({ id }).catch((error) => explainMissing(client, error, id));
  if (follow) {
    const signal = new AbortController().signal;
    return followJournal(new SteadyServer(environment, client), { id, after, onEvent: print, signal });
  }
  for await (const event of client.executions.events({ id, after, follow: 'false' })) print(event);
}

/** An event as one line: number, time, type and data. */
export function eventLine({ seq, at, type, data }: ExecutionEvent): string {
  const time = at.slice(11, 23);
  const about = Object.keys(data).length === 0 ? '' : oneLine(jsonText(data), 160);
  return `${String(seq).padStart(5)}  ${style.dim(time)}  ${printable(type).padEnd(22)}  ${about}`.trimEnd();
}

export async function cancelExecution(
  environment: Environment,
  typedId: string,
  { json = false }: { json?: boolean },
): Promise<void> {
  const client = await connect(environment);
  const id = await completeId(client, 'execution', typedId);
  const execution = await client.executions
    .cancel({ id })
    .catch((error) => explainMissing(client, error, id));
  if (json) return environment.printJson(execution);
  environment.print(cancelSentence(execution));
  if (execution.status !== 'cancelled') return;
  const calls = await allItems((page) => client.executions.calls({ id, ...page }));
  const sent = calls.filter(({ status }) => status === 'uncertain');
  for (const { path } of sent)
    environment.print(style.yellow(printable(`${path} was sent. It is unknown whether it succeeded.`)));
}

export async function replayExecution(
  environment: Environment,
  typedId: string,
  { json = false }: { json?: boolean },
): Promise<void> {
  const client = await connect(environment);
  const id = await completeId(client, 'execution', typedId);
  const report = await client.executions.replay({ id }).catch((error) => explainMissing(client, error, id));
  if (!report.matched) environment.exitCode = 1;
  if (json) return environment.printJson(report);
  environment.print(`${report.matched ? style.green('✓') : style.red('✗')} ${printable(report.message)}`);
  environment.print(style.dim('No call was sent.'));
  if (report.matched) return;
  environment.print(`Recorded:\n${indented(jsonText(report.recorded, 2))}`);
  environment.print(`Now:\n${indented(jsonText(report.replayed, 2))}`);
}

/** Adds the nearest id to the error about an unknown run. */
export async function explainMissing(client: Client, error: unknown, id: string): Promise<never> {
  if (!(error instanceof ExecutorError) || error.code !== 'notFound') throw error;
  const { items } = await client.executions.list({ limit: 200 });
  const meant = nearest(
    id,
    items.map((item) => item.id),
  );
  if (meant === undefined) throw error;
  throw new ExecutorError('notFound', `${error.message} Did you mean ${meant}?`, { cause: error });
}
