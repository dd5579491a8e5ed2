import { type ErrorCode, type ExecutionError, ExecutorError, type UnawaitedCall } from '@executor/protocol';
import type { Artifacts } from '../../artifact/artifacts.ts';
import type { Clock } from '../../clock.ts';
import type { ExecutionRow, RunEnding } from '../../ports/execution-store.ts';
import type { JsonReader } from '../../ports/json-reader.ts';
import type { CodeError, SandboxOutcome } from '../../ports/sandbox.ts';

interface Facts {
  execution: ExecutionRow;
  /** CPU time in all processes that held the run. */
  cpuMs: number;
  /** Why the run failed, unless its own code was the reason. */
  failure?: ExecutorError | undefined;
  hints?: string[] | undefined;
}

/** Larger results are cut where they are shown, and stored whole as an artifact. */
export const shownResultBytes = 64 * 1024;

/** The end of a run that has not been written yet. Undefined if its result is too large for the row. */
export function endingInPlace(outcome: SandboxOutcome, finishedAt: Date): RunEnding | undefined {
  const { replayCpuMs: _, ...usage } = outcome.usage;
  const common = { usage, finishedAt, omitted: null };
  if (outcome.type !== 'returned') return { ...common, ...failed(errorOf(outcome), finishedAt) };
  if (Buffer.byteLength(outcome.json) > shownResultBytes) return undefined;
  return { ...common, result: outcome.json, error: null, ...completed(finishedAt, outcome) };
}

/** The end of a run, ready to be written. */
export async function endingOf(
  outcome: SandboxOutcome,
  { execution, cpuMs, failure, hints }: Facts,
  { clock, ...parts }: ResultParts & { clock: Clock },
): Promise<RunEnding> {
  const finishedAt = clock.now();
  const { memoryBytes, calls, logBytes, resultBytes } = outcome.usage;
  const common = { usage: { cpuMs, memoryBytes, calls, logBytes, resultBytes }, finishedAt, omitted: null };
  if (outcome.type === 'returned') {
    const shown = await shownResult(outcome.json, execution, parts).catch(notJson);
    if (shown) return { ...common, ...shown, error: null, ...completed(finishedAt, { ...outcome, hints }) };
    return { ...common, ...failed(brokenResult, finishedAt) };
  }
  if (outcome.type === 'cancelled' && failure === undefined) {
    return {
      ...common,
      status: 'cancelled',
      result: null,
      error: null,
      events: [{ type: 'execution.cancelled', at: finishedAt }],
    };
  }
  return { ...common, ...failed(failure ? failureError(failure) : errorOf(outcome), finishedAt) };
}

interface ResultParts {
  artifacts: Pick<Artifacts, 'put'>;
  jsonReader: Pick<JsonReader, 'cut'>;
}

const brokenResult: ExecutionError = {
  code: 'crashed',
  message: 'The sandbox process returned a result that is not JSON.',
};

function notJson(error: unknown): undefined {
  if (!(error instanceof SyntaxError)) throw error;
}

function failed(error: ExecutionError, at: Date): Pick<RunEnding, 'status' | 'result' | 'error' | 'events'> {
  const { code, message } = error;
  return { status: 'failed', result: null, error, events: [{ type: 'execution.failed', code, message, at }] };
}

function completed(
  at: Date,
  { unawaited, hints }: { unawaited?: UnawaitedCall[]; hints?: string[] | undefined },
): Pick<RunEnding, 'status' | 'events'> {
  const noted = { ...(unawaited && { unawaited }), ...(hints && { hints }) };
  const event = { type: 'execution.completed', ...noted, at } as const;
  return { status: 'completed', events: [event] };
}

async function shownResult(
  json: string,
  execution: ExecutionRow,
  { artifacts, jsonReader }: ResultParts,
): Promise<Pick<RunEnding, 'result' | 'omitted'>> {
  const buffer = Buffer.from(json);
  const bytes = buffer.length;
  if (bytes <= shownResultBytes) return { result: json, omitted: null };
  const result = await jsonReader.cut(buffer, shownResultBytes);
  const shownBytes = Buffer.byteLength(result);
  try {
    const whole = { bytes: buffer, mediaType: 'application/json', name: 'result.json' };
    const { artifactId } = await artifacts.put(execution, whole, 'result');
    const hint = `The whole result is the artifact ${artifactId}: GET /v1/artifacts/${artifactId}, executor artifacts get ${artifactId}, or in code tools.executor.artifacts.read({ id: "${artifactId}", as: "json" }). To see a whole result here, return less.`;
    return { result, omitted: { result: { bytes, shownBytes, artifactId, hint } } };
  } catch (error) {
    if (!(error instanceof ExecutorError) || !isLimit(error.code)) throw error;
    const hint = `The rest was not stored: ${error.message} To see a whole result here, return less.`;
    return { result, omitted: { result: { bytes, shownBytes, hint } } };
  }
}

/** The error of a run that did not complete. */
export function errorOf(outcome: Exclude<SandboxOutcome, { type: 'returned' }>): ExecutionError {
  switch (outcome.type) {
    case 'threw':
      return codeError(outcome.error);
    case 'outOfMemory':
      return {
        ...(outcome.error && codeError(outcome.error)),
        code: 'outOfMemory',
        message: outcome.message,
      };
    case 'nondeterminism': {
      const { index, recorded, made, message } = outcome;
      const details = { index, ...(recorded && { recorded }), ...(made && { made }) };
      return { code: 'nondeterminism', message, details };
    }
    case 'timedOut':
    case 'crashed':
      return { code: outcome.type, message: outcome.message };
    case 'cancelled':
      return { code: 'internal', message: 'The run was stopped from outside.' };
  }
}

export function codeError({
  reason,
  name,
  message,
  line,
  column,
  excerpt,
  frames,
  cause,
  details: more,
}: CodeError): ExecutionError {
  const details = { ...more, ...(frames && { frames }), ...(cause && { cause }) };
  return {
    code: reason === 'thrown' ? 'threw' : reason,
    name,
    message,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    ...(excerpt !== undefined && { excerpt }),
    ...(Object.keys(details).length > 0 && { details }),
  };
}

/** Whether the run reached a limit, its own or that of its owner. */
export function isLimit(code: ErrorCode): boolean {
  return code === 'payloadTooLarge' || code === 'quotaExceeded';
}

function failureError({ code, message }: ExecutorError): ExecutionError {
  return { code: isLimit(code) ? 'limit' : 'internal', message };
}
