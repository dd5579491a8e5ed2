import { inspect } from 'node:util';
import { ExecutorError, printable, toErrorBody, toExecutorError } from '@executor/protocol';
import type { Environment } from './environment.ts';

/** Prints an error as a sentence or as JSON, and returns the exit code. */
export function reportError(environment: Environment, thrown: unknown, json: boolean): number {
  const error = toExecutorError(thrown);
  if (json) environment.printError(JSON.stringify(toErrorBody(error)));
  else environment.printError(`executor: ${printable(error.message)}`);
  // An unexpected error is printed with its cause and stack: a bug report needs them.
  if (error.code === 'internal' && error.cause !== undefined) environment.printError(inspect(error.cause));
  return ExecutorError.exitCode(error.code);
}
