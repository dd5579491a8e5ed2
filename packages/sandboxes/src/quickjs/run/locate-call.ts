import type { Program } from '@executor/engine';
import type { UnawaitedCall } from '@executor/protocol';
import type { RawUnawaited } from '../messages/messages.ts';
import { originalPosition } from './source-position.ts';

/** Converts the position of a call to that in the submitted code. */
export function locateCall(call: RawUnawaited, program: Program): UnawaitedCall {
  const { path, line, column, outcome, message } = call;
  return {
    path,
    ...(line > 0 && { line: originalPosition(program, { line, column }).line }),
    outcome,
    ...(message !== undefined && { message }),
  };
}
