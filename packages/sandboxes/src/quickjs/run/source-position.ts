import type { Program } from '@executor/engine';

export interface Position {
  line: number;
  column: number;
}

/**
 * Maps a position in the compiled code to the submitted code. Compiled code is the submitted code with a function's head on its first
 * line. If types could not be replaced by blanks, a source map is used as well.
 */
export function originalPosition(program: Program, at: Position): Position {
  const { code, source, map, head } = program;
  const before = withoutInsertion(program, at);
  const mapped = map === undefined ? before : lookUp(map, before);
  const column = mapped.line === 1 ? mapped.column - head : mapped.column;
  const lastLine = source.split('\n').length;
  if (mapped.line > lastLine || code === '') return { line: lastLine, column: 1 };
  return { line: mapped.line, column: Math.max(1, column) };
}

function withoutInsertion({ inserted }: Program, { line, column }: Position): Position {
  if (line !== inserted?.line || column < inserted.column) return { line, column };
  return { line, column: Math.max(inserted.column, column - inserted.length) };
}

/** Finds the segment of the map that contains the position. */
function lookUp(mappings: string, { line, column }: Position): Position {
  const from = { line: 0, column: 0 };
  let best: Position = { line: 1, column: 1 };
  const lines = mappings.split(';');
  for (let generated = 0; generated < Math.min(line, lines.length); generated++) {
    let generatedColumn = 0;
    for (const segment of (lines[generated] ?? '').split(',')) {
      const [columnStep, , lineStep, fromStep] = decodeNumbers(segment);
      if (columnStep === undefined || lineStep === undefined || fromStep === undefined) continue;
      generatedColumn += columnStep;
      from.line += lineStep;
      from.column += fromStep;
      const passed = generated === line - 1 && generatedColumn > column - 1;
      if (passed) return best;
      best = { line: from.line + 1, column: from.column + 1 };
    }
  }
  return best;
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes Base64 VLQ: five bits per digit, the sixth bit is set if more follow, the lowest bit of a number is its sign. */
function decodeNumbers(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const character of segment) {
    const digit = digits.indexOf(character);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}
