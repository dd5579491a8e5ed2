/** Prints what went wrong, as a sentence or as JSON, and answers with the exit code. Loaded lazily: a command that works does not pay for it. */
export async function reportError(thrown: unknown, json: boolean): Promise<number> {
  const { ExecutorError, printable, toErrorBody, toExecutorError } = await import('@executor/protocol');
  const error = toExecutorError(thrown);
  if (json) console.error(JSON.stringify(toErrorBody(error)));
  else console.error(`executor: ${printable(error.message)}`);
  // What nobody foresaw is shown whole: without it a report of the problem is worth little.
  if (error.code === 'internal' && error.cause !== undefined) console.error(error.cause);
  return ExecutorError.exitCode(error.code);
}
