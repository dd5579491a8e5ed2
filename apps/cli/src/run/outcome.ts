import {
  type Diagnostic,
  type Execution,
  type ExecutionError,
  isFinished,
  type Omission,
  printable,
  type UnawaitedCall,
} from '@executor/protocol';
import type { Environment } from '../environment.ts';
import { indented, jsonText } from '../output.ts';
import { style } from '../style.ts';

/** Exit codes of a run that has not finished: it needs an answer, or only time. */
const needsPersonCode = 3;
const stillRunningCode = 5;

/** Prints the result or error of a finished run, or how to resume another one. Sets the exit code. */
export function reportRun(
  environment: Environment,
  execution: Execution,
  { json = false }: { json?: boolean },
): void {
  if (json) environment.printJson(execution);
  if (isFinished(execution.status)) reportEnd(environment, execution, json);
  else reportUnfinished(environment, execution, json);
}

function reportEnd(environment: Environment, execution: Execution, json: boolean): void {
  for (const omission of [execution.omitted?.logs, execution.omitted?.result])
    if (omission) environment.printError(style.yellow(omissionSentence(omission)));
  if (!json)
    for (const one of execution.diagnostics ?? []) environment.printError(style.yellow(diagnosticText(one)));
  if (!json) for (const sentence of unawaitedSentences(execution)) environment.printError(sentence);
  // Diagnostics name the same mistakes.
  if (!json && !execution.diagnostics?.length)
    for (const sentence of hintSentences(execution)) environment.printError(sentence);
  if (execution.status === 'completed') {
    if (!json) environment.print(jsonText(execution.result, environment.stdout.isTTY ? 2 : 0));
    return;
  }
  environment.exitCode = 1;
  if (execution.status === 'cancelled') environment.printError('The run was cancelled.');
  else environment.printError(errorText(execution.error ?? { code: 'internal', message: 'The run failed.' }));
}

/** The calls that the code did not await, failures first. Like calls of one line share a sentence. */
export function unawaitedSentences({ unawaited = [] }: Pick<Execution, 'unawaited'>): string[] {
  const isFailure = ({ outcome }: UnawaitedCall) => outcome === 'failed' || outcome === 'denied';
  const failures = unawaited.filter(isFailure).map(unawaitedSentence);
  const others = unawaited.filter((call) => !isFailure(call)).map(unawaitedSentence);
  return [...counted(failures).map(style.red), ...counted(others).map(style.yellow)];
}

/** What the author of the code should know about its result. */
export function hintSentences({ hints = [] }: Pick<Execution, 'hints'>): string[] {
  return hints.map((hint) => style.yellow(printable(`hint: ${hint}`)));
}

function counted(sentences: string[]): string[] {
  return [...new Set(sentences)].map((sentence) => {
    const { length } = sentences.filter((one) => one === sentence);
    return length > 1 ? `${sentence} (${length} times)` : sentence;
  });
}

function unawaitedSentence({ path, line, outcome, message }: UnawaitedCall): string {
  const end = outcome === 'pending' ? 'had not fired when the run ended' : outcome;
  const reason = message === undefined ? '' : `: ${message.split('\n')[0]}`;
  return printable(`not awaited: ${path}${positionText({ line })} ${end}${reason}`);
}

export const returnedSentence = 'The code has returned. The run waits for calls that the code did not await.';

/** The error and its position in the code. */
export function errorText({ code, name, message, line, column, excerpt }: ExecutionError): string {
  // The lines after the first describe the correct call.
  const [summary = '', ...more] = message.split('\n');
  const head = `${style.red(printable(name ?? code))}: ${printable(summary)}${positionText({ line, column })}`;
  const text = [head, ...more.map(printable)].join('\n');
  return excerpt === undefined ? text : `${text}\n\n${indented(excerpt)}\n`;
}

/** A type error of code that ran nevertheless. */
function diagnosticText({ message, line, column }: Diagnostic): string {
  return printable(`types: ${message}${positionText({ line, column })}`);
}

function positionText({ line, column }: { line?: number | undefined; column?: number | undefined }): string {
  if (line === undefined) return '';
  return ` (line ${line}${column === undefined ? '' : `, column ${column}`})`;
}

export function omissionSentence({ bytes, shownBytes, hint }: Omission): string {
  return printable(`${shownBytes} of ${bytes} bytes are shown. ${hint}`);
}

function reportUnfinished(environment: Environment, execution: Execution, json: boolean): void {
  const { id, status, interactions, returned } = execution;
  environment.exitCode = interactions.length > 0 ? needsPersonCode : stillRunningCode;
  // A script gets one JSON value either way. The exit code says which.
  if (!json && !environment.stdout.isTTY)
    environment.print(jsonText({ status, executionId: id, interactions }));
  environment.note(
    interactions.length > 0
      ? `${id} needs an answer:`
      : `${id} has not finished. It is ${status}, and continues without you.`,
  );
  if (returned) environment.note(returnedSentence);
  for (const { kind, prompt, url } of interactions) environment.note(`  ${kind}: ${prompt}\n    ${url}`);
  environment.note(`Resume it with:\n  ${resumeCommand(id)}`);
}

/** The state of a run after a request to cancel it. */
export function cancelSentence({ status }: Pick<Execution, 'status'>): string {
  if (status === 'cancelled') return 'The run is cancelled.';
  return isFinished(status) ? `The run had already ${status}.` : 'The run is being cancelled.';
}

export function resumeCommand(id: string): string {
  return `executor resume --execution-id ${id}`;
}
