import { type Call, type Execution, printable } from '@executor/protocol';
import pc from 'picocolors';
import { connect } from '../connect.ts';
import { ago, duration, indented, jsonText, oneLine, printJson, printTable } from '../output.ts';
import { allCalls } from '../run/all-calls.ts';
import { errorText, omissionSentence, resumeCommand } from '../run/outcome.ts';
import { explainMissing } from './executions.ts';

export async function showExecution(id: string, { json = false }: { json?: boolean }): Promise<void> {
  const client = await connect();
  const execution = await client.executions.get({ id }).catch((error) => explainMissing(client, error, id));
  const calls = await allCalls(client, id);
  if (json) return printJson({ ...execution, calls });
  printHead(execution);
  printSection('Code', execution.code);
  if (calls.length > 0) printCalls(calls);
  printLogs(execution);
  printPending(execution);
  if (execution.error) console.log(`\n${pc.bold('Error')}\n${errorText(execution.error).trimEnd()}`);
  if (execution.status === 'completed') printSection('Result', jsonText(execution.result, 2));
  if (execution.omitted?.result) console.log(pc.yellow(omissionSentence(execution.omitted.result)));
}

function printHead(execution: Execution): void {
  const { id, status, createdAt, startedAt, finishedAt, clientId, runtimeId, actorId, url, usage } =
    execution;
  const took =
    startedAt && finishedAt ? `, took ${duration(Date.parse(finishedAt) - Date.parse(startedAt))}` : '';
  console.log(`${pc.bold(id)}  ${status}, started ${ago(createdAt)}${took}`);
  const facts = [
    ['by', actorId],
    ['client', clientId],
    ['runtime', runtimeId],
    ['used', usage && `${Math.round(usage.cpuMs)} ms of CPU, ${usage.calls} calls`],
    ['page', url],
  ];
  for (const [name, value] of facts)
    if (value) console.log(`  ${pc.dim((name as string).padEnd(8))} ${printable(value)}`);
}

function printSection(title: string, text: string): void {
  console.log(`\n${pc.bold(title)}\n${indented(text.trimEnd())}`);
}

function printCalls(calls: Call[]): void {
  console.log(`\n${pc.bold('Calls')}`);
  printTable(
    ['#', 'TOOL', 'STATUS', 'TOOK', 'DECISION', 'INPUT'],
    calls.map((call) => callRow(call)),
  );
  for (const { index, error } of calls)
    if (error) console.log(`  #${index} ${printable(error.name)}: ${oneLine(error.message, 200)}`);
}

/** A call as a row of a list. */
export function callRow({ index, path, status, decision, input, requestedAt, finishedAt }: Call): string[] {
  return [
    String(index),
    oneLine(path, 60),
    status,
    finishedAt === undefined ? '' : duration(Date.parse(finishedAt) - Date.parse(requestedAt)),
    decision?.decision ?? '',
    oneLine(jsonText(input), 60),
  ];
}

function printLogs({ logs, omitted }: Execution): void {
  if (logs.length === 0) return;
  console.log(`\n${pc.bold('Logs')}`);
  for (const { at, level, text } of logs)
    console.log(
      `  ${pc.dim(at.slice(11, 23))} ${level.padEnd(5)} ${printable(text).replaceAll('\n', `\n${' '.repeat(21)}`)}`,
    );
  if (omitted?.logs) console.log(pc.yellow(omissionSentence(omitted.logs)));
}

function printPending({ id, interactions }: Execution): void {
  if (interactions.length === 0) return;
  console.log(`\n${pc.bold('Waits for')}`);
  for (const { id: interactionId, kind, prompt, url } of interactions)
    console.log(`  ${interactionId}  ${kind}: ${oneLine(prompt, 200)}\n    ${printable(url)}`);
  console.log(`  Answer with: ${resumeCommand(id)}`);
}
