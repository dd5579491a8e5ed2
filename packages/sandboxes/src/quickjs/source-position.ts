import type { Program } from '@executor/engine';

export interface Position {
  line: number;
  column: number;
}

/**
 * From a position in the compiled code to the one in the submitted code. Compiled code is the submitted code with a function's head
 * on its first line; where types could not just be blanked, a source map leads back to that.
 */
export function originalPosition(program: Program, at: Position): Position {
  const { code, source, map, head } = program;
  const taken = withoutInsertion(program, at);
  const mapped = map === undefined ? taken : lookUp(map, taken);
  const column = mapped.line === 1 ? mapped.column - head : mapped.column;
  const lastLine = source.split('\n').length;
  if (mapped.line > lastLine || code === '') return { line: lastLine, column: 1 };
  return { line: mapped.line, column: Math.max(1, column) };
}

function withoutInsertion({ inserted }: Program, { line, column }: Position): Position {
  if (line !== inserted?.line || column < inserted.column) return { line, column };
  return { line, column: Math.max(inserted.column, column - inserted.length) };
}

/** The segment of the map that the position lies in. */
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

/** Base64 VLQ: five bits a digit, the sixth says that more follow, the lowest bit of a number is its sign. */
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
