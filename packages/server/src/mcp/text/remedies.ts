import type { ExecutionError } from '@executor/protocol';

const notUndone = 'Completed calls are not undone.';
const nothingRan = 'Nothing ran. Fix the code and call `execute` again.';

/** What a model should do after a run failed, by error code. */
const remedies: Record<string, string> = {
  syntax: nothingRan,
  typecheck: nothingRan,
  threw: `Fix the code or catch the error, then call \`execute\` again. ${notUndone} Do not repeat writes.`,
  unhandled: `Await that promise or catch its error, then call \`execute\` again. ${notUndone}`,
  unsettled: 'The code awaits a promise that never settles. Fix the code and call `execute` again.',
  limit: `Make fewer calls or less output in one run, then call \`execute\` again. ${notUndone}`,
  timedOut: `The code used too much CPU time. Do less in one run. ${notUndone}`,
  outOfMemory: `Keep less in memory, for example by reading page by page, then call \`execute\` again. ${notUndone}`,
  crashed: `Call \`execute\` again. ${notUndone} Do not repeat writes.`,
  nondeterminism: `The code made different calls when it was resumed. Call \`execute\` with the remaining work. ${notUndone}`,
  internal:
    'This is an error in Executor, not in the code. Tell your user. `executor logs` shows the details.',
};

/** A call that a person, a rule or the passing of time denied. Other code would be denied too. */
const denied = `This is a decision, not an error in the code. Do not try the same again. Tell your user, and ask what to do instead. ${notUndone}`;

export function remedyFor({ code = 'internal', name }: Partial<ExecutionError>): string | undefined {
  return name === 'ToolDeniedError' ? denied : (remedies[code] ?? remedies.internal);
}
