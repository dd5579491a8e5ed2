import {
  type Execution,
  type ExecutionError,
  isFinished,
  type Omission,
  printable,
} from '@executor/protocol';
import pc from 'picocolors';
import { indented, jsonText, printJson, self, showText } from '../output.ts';

/** A person must act first, or the run still goes on. */
const waitingCode = 3;

/** Prints how a run stands: a finished one's result or error, and for any other how to come back to it. Sets the exit code. */
export function reportRun(execution: Execution, { json = false }: { json?: boolean }): void {
  if (json) printJson(execution);
  if (isFinished(execution.status)) reportEnd(execution, json);
  else reportUnfinished(execution, json);
}

function reportEnd(execution: Execution, json: boolean): void {
  for (const omission of [execution.omitted?.logs, execution.omitted?.result])
    if (omission) console.error(pc.yellow(omissionSentence(omission)));
  if (execution.status === 'completed') {
    if (!json) console.log(jsonText(execution.result, process.stdout.isTTY ? 2 : 0));
    return;
  }
  process.exitCode = 1;
  if (execution.status === 'cancelled') console.error('The run was cancelled.');
  else console.error(errorText(execution.error ?? { code: 'internal', message: 'The run failed.' }));
}

/** What went wrong, and where in the code. */
export function errorText({ code, name, message, line, column, excerpt }: ExecutionError): string {
  const place =
    line === undefined ? '' : ` (line ${line}${column === undefined ? '' : `, column ${column}`})`;
  const head = `${pc.red(printable(name ?? code))}: ${printable(message)}${place}`;
  return excerpt === undefined ? head : `${head}\n\n${indented(excerpt)}\n`;
}

export function omissionSentence({ bytes, shownBytes, hint }: Omission): string {
  return printable(`${shownBytes} of ${bytes} bytes are shown. ${hint}`);
}

function reportUnfinished(execution: Execution, json: boolean): void {
  const { id, status, interactions } = execution;
  process.exitCode = waitingCode;
  // Whoever reads our output gets one JSON either way, and the exit code tells which.
  if (!json && !process.stdout.isTTY) console.log(jsonText({ status, executionId: id, interactions }));
  showText(
    interactions.length > 0
      ? `${id} waits for a person:`
      : `${id} has not finished; it is ${status}, and goes on by itself.`,
  );
  for (const { kind, prompt, url } of interactions) showText(`  ${kind}: ${prompt}\n    ${url}`);
  showText(`Come back to it with:\n  ${resumeCommand(id)}`);
}

/** How a run stands after somebody wanted it cancelled. */
export function cancelSentence({ status }: Pick<Execution, 'status'>): string {
  if (status === 'cancelled') return 'The run is cancelled.';
  return isFinished(status) ? `It had ${status} before, and stays as it is.` : 'The run is being cancelled.';
}

export function resumeCommand(id: string): string {
  return `${self} resume --execution-id ${id}`;
}
