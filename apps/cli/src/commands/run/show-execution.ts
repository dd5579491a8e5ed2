import { type Call, decisionWords, type Execution, printable } from '@executor/protocol';
import type { Environment } from '../../environment.ts';
import { ago, duration, indented, jsonText, oneLine } from '../../output.ts';
import {
  errorText,
  hintSentences,
  omissionSentence,
  resumeCommand,
  returnedSentence,
  unawaitedSentences,
} from '../../run/outcome.ts';
import { readActorNames } from '../../server/actor-names.ts';
import { completeId } from '../../server/complete-id.ts';
import { connect } from '../../server/connect.ts';
import { allItems } from '../../server/items.ts';
import { style } from '../../style.ts';
import { explainMissing } from './executions.ts';

export async function showExecution(
  environment: Environment,
  typedId: string,
  { json = false }: { json?: boolean },
): Promise<void> {
  const client = await connect(environment);
  const id = await completeId(client, 'execution', typedId);
  const execution = await client.executions.get({ id }).catch((error) => explainMissing(client, error, id));
  const calls = await allItems((page) => client.executions.calls({ id, ...page }));
  if (json) return environment.printJson({ ...execution, calls });
  const nameOf = await readActorNames(client);
  printHead(environment, execution, nameOf(execution.actorId));
  printSection(environment, 'Code', execution.code);
  if (calls.length > 0) printCalls(environment, calls);
  printLogs(environment, execution);
  printPending(environment, execution);
  if (execution.error) environment.print(`\n${style.bold('Error')}\n${errorText(execution.error).trimEnd()}`);
  if (execution.status === 'completed')
    printSection(environment, 'Result', jsonText(execution.result ?? null, 2));
  const notes = [...unawaitedSentences(execution), ...hintSentences(execution)];
  if (notes.length > 0) environment.print(`\n${notes.join('\n')}`);
  if (execution.omitted?.result) environment.print(style.yellow(omissionSentence(execution.omitted.result)));
}

function printHead(environment: Environment, execution: Execution, actor: string): void {
  const { id, status, createdAt, startedAt, finishedAt, clientId, runtimeId, url, usage, removed, returned } =
    execution;
  const took =
    startedAt && finishedAt ? `, took ${duration(Date.parse(finishedAt) - Date.parse(startedAt))}` : '';
  environment.print(`${style.bold(id)}  ${status}, started ${ago(createdAt, environment.now())}${took}`);
  const facts = [
    ['by', actor],
    ['client', clientId],
    ['runtime', runtimeId],
    ['used', usage && `${Math.round(usage.cpuMs)} ms of CPU, ${usage.calls} calls`],
    ['removed', removed?.hint],
    ['code', returned && returnedSentence],
    ['page', url],
  ];
  for (const [name, value] of facts)
    if (value) environment.print(`  ${style.dim((name as string).padEnd(8))} ${printable(value)}`);
}

function printSection(environment: Environment, title: string, text: string): void {
  environment.print(`\n${style.bold(title)}\n${indented(text.trimEnd())}`);
}

function printCalls(environment: Environment, calls: Call[]): void {
  environment.print(`\n${style.bold('Calls')}`);
  environment.printTable(
    ['#', 'TOOL', 'STATUS', 'TOOK', 'DECISION', 'INPUT'],
    calls.map((call) => callRow(call)),
  );
  for (const { index, error } of calls)
    if (error) environment.print(`  #${index} ${printable(error.name)}: ${oneLine(error.message, 200)}`);
}

/** A call as a row of a list. */
export function callRow({ index, path, status, decision, input, requestedAt, finishedAt }: Call): string[] {
  return [
    String(index),
    oneLine(path, 60),
    status,
    finishedAt === undefined ? '' : duration(Date.parse(finishedAt) - Date.parse(requestedAt)),
    decision ? decisionWords[decision.decision] : '',
    oneLine(jsonText(input), 60),
  ];
}

function printLogs(environment: Environment, { logs, omitted }: Execution): void {
  if (logs.length === 0) return;
  environment.print(`\n${style.bold('Logs')}`);
  for (const { at, level, text } of logs)
    environment.print(
      `  ${style.dim(at.slice(11, 23))} ${level.padEnd(5)} ${printable(text).replaceAll('\n', `\n${' '.repeat(21)}`)}`,
    );
  if (omitted?.logs) environment.print(style.yellow(omissionSentence(omitted.logs)));
}

function printPending(environment: Environment, { id, interactions }: Execution): void {
  if (interactions.length === 0) return;
  environment.print(`\n${style.bold('Pending')}`);
  for (const { id: interactionId, kind, prompt, url } of interactions)
    environment.print(`  ${interactionId}  ${kind}: ${oneLine(prompt, 200)}\n    ${printable(url)}`);
  environment.print(`  Answer with: ${resumeCommand(id)}`);
}
