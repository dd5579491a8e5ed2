import { type CodeError, codeExcerpt, type Program } from '@executor/engine';
import type { RawError } from '../messages/messages.ts';
import { codeFile } from '../prelude/contract.ts';
import { originalPosition } from './source-position.ts';

/** Converts an error of the VM to one of the submitted code: maps positions back and removes the sandbox's own frames. */
export function locateError(error: RawError, program: Program): CodeError {
  const { name, message, reason, cause } = error;
  const frames = [...framesOf(error.stack, program)];
  const first = frames[0] ?? knownPosition(error, program);
  return {
    name,
    message,
    reason,
    ...(first && codeExcerpt(program.source, first)),
    ...(frames.length > 0 && { frames }),
    ...(cause && { cause }),
  };
}

/** The position of an error that arose when no line of the code was running. */
function knownPosition({ ofResult, reason }: RawError, { places }: Program) {
  if (reason === 'unsettled') return places?.wait ?? places?.result;
  return ofResult ? places?.result : undefined;
}

const maxFrames = 10;
const framePattern = new RegExp(`^\\s*at (?:(.*?) \\()?${codeFile.replace('.', '\\.')}:(\\d+):(\\d+)\\)?$`);

function framesOf(stack: string, program: Program) {
  return stack
    .split('\n')
    .flatMap((text) => {
      const [whole, name, line, column] = framePattern.exec(text) ?? [];
      if (whole === undefined) return [];
      const position = originalPosition(program, { line: Number(line), column: Number(column) });
      return [{ ...(name && !name.startsWith('<') && { function: name }), ...position }];
    })
    .slice(0, maxFrames);
}
