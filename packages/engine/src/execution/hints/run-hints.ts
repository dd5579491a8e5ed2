import type { JsonReader } from '../../ports/json-reader.ts';
import type { SandboxOutcome } from '../../ports/sandbox.ts';
import type { RunState } from '../run/run-state.ts';
import { writtenMessage } from './code-hint.ts';
import { errorHint } from './error-hint.ts';
import { morePagesHints } from './more-pages.ts';
import { emptyResultHint } from './result-hints.ts';
import { RunResults } from './run-results.ts';

interface Facts {
  code: string;
  state: Pick<RunState, 'calls' | 'completions'>;
  hasLogs: boolean;
  jsonReader: Pick<JsonReader, 'cut'>;
}

/** Untrusted code is searched with expressions that take quadratic time in its length, so longer code gets no hints. */
const maxCodeChars = 20_000;

/** The end of a run, with sentences for the author of the code: what its values really are, and what they lack. */
export async function advised(
  outcome: SandboxOutcome,
  { code, state, hasLogs, jsonReader }: Facts,
): Promise<{ outcome: SandboxOutcome; hints?: string[] }> {
  const results = new RunResults(state, jsonReader);
  if (code.length > maxCodeChars) return { outcome };
  if (outcome.type === 'threw') {
    const { error } = outcome;
    const hint = await errorHint(error, code, results);
    const message = writtenMessage(error, code);
    return { outcome: { ...outcome, error: { ...error, message: hint ? `${message}. ${hint}` : message } } };
  }
  if (outcome.type !== 'returned') return { outcome };
  const empty = await emptyResultHint({ json: outcome.json, code, hasLogs }, results);
  const hints = [...(empty === undefined ? [] : [empty]), ...morePagesHints(results)];
  return hints.length > 0 ? { outcome, hints } : { outcome };
}
