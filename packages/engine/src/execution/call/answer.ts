import { type ExecutionLimits, ExecutorError } from '@executor/protocol';
import { artifactValue } from '../../artifact/artifact-value.ts';
import type { CallResult, SandboxCall } from '../../ports/sandbox.ts';
import type { CallAnswer, NewArtifact } from '../../ports/source.ts';
import type { CallContext } from './call-context.ts';
import { toolError } from './call-result.ts';

const mebibyte = 1024 * 1024;
/** Parsed JSON takes several times the memory of its text. */
const shareOfMemory = 1 / 8;
/** The size of the largest artifact. */
const maxBytes = 32 * mebibyte;

/** The largest answer that code gets as a value, in bytes. */
export function maxAnswerBytes({ memoryMb }: Pick<ExecutionLimits, 'memoryMb'>): number {
  return Math.min(Math.floor(memoryMb * mebibyte * shareOfMemory), maxBytes);
}

type Context = Pick<CallContext, 'room' | 'tryKeep' | 'maxAnswerBytes' | 'putArtifact'>;

/** The answer of a call as the code gets it: a value, or the handle of an artifact if the answer exceeds the run's limit. */
export async function answerOf(call: SandboxCall, outcome: CallAnswer, run: Context): Promise<CallResult> {
  const text = outcome.type === 'value' && typeof outcome.value === 'string' ? outcome.value : undefined;
  if (text !== undefined && Buffer.byteLength(text) > run.maxAnswerBytes()) {
    return storedAnswer(call, { whole: textFile(text), reason: overLimit(run) }, run);
  }
  const json = outcome.type === 'json' ? outcome.json : jsonOf(outcome.value);
  if (json === undefined) {
    return toolError(`${call.path} returned JSON that is nested too deeply.`, { code: 'resultTooLarge' });
  }
  const bytes = Buffer.byteLength(json);
  run.room.settle(bytes);
  const isOver = !outcome.isWhole && bytes > run.maxAnswerBytes();
  if (!isOver && run.tryKeep(bytes))
    return { type: 'value', json, ...(outcome.hasNext && { hasNext: true }) };
  if (outcome.isWhole) return toolError(`${call.path}: ${crowded}. ${patience}`, { code: 'tooManyRequests' });
  const reason = isOver ? overLimit(run) : crowded;
  const whole = text === undefined ? jsonFile(json) : textFile(text);
  return storedAnswer(call, { whole, reason }, run);
}

const crowded = 'the runs of this key keep as many results in memory as they may';
const patience = 'Try again when another run has ended.';

function overLimit(run: Context): string {
  return `this run can take ${run.maxAnswerBytes()} as a value`;
}

/** Undefined if the value is nested too deeply. V8 can read such JSON, but not write it. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function textFile(text: string): NewArtifact {
  return { bytes: Buffer.from(text), mediaType: 'text/plain; charset=utf-8' };
}

function jsonFile(json: string): NewArtifact {
  return { bytes: Buffer.from(json), mediaType: 'application/json' };
}

async function storedAnswer(
  { index, path }: SandboxCall,
  { whole, reason }: { whole: NewArtifact; reason: string },
  run: Context,
): Promise<CallResult> {
  const fact = `${path} succeeded. Its answer has ${whole.bytes.length} bytes, and ${reason}`;
  try {
    const handle = await run.putArtifact(whole, `${index}_result`);
    const value = artifactValue(handle, `${fact}, so it is stored as an artifact.`);
    return { type: 'value', json: JSON.stringify(value) };
  } catch (error) {
    if (!(error instanceof ExecutorError) || !refusals.has(error.code)) throw error;
    const message = `${fact}. It was not stored: ${error.message} Request less. Do not repeat a write.`;
    return toolError(message, { code: 'resultTooLarge' });
  }
}

const refusals = new Set<ExecutorError['code']>(['payloadTooLarge', 'quotaExceeded']);
