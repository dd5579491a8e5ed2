import type { CodeError } from '../../ports/sandbox.ts';

/** A position in the submitted code, with an excerpt: the line, its neighbours, and a marker. */
export function codeExcerpt(
  source: string,
  at: { line: number; column: number },
): Pick<CodeError, 'line' | 'column' | 'excerpt'> {
  const lines = source.split('\n');
  const line = Math.min(Math.max(1, at.line), lines.length);
  const width = String(line + 1).length;
  const show = (number: number) => {
    const text = lines[number - 1];
    return text === undefined ? [] : [`${String(number).padStart(width)} | ${cut(text)}`];
  };
  const marker = `${' '.repeat(width)} | ${' '.repeat(Math.min(at.column - 1, maxLine))}^`;
  return {
    line,
    column: at.column,
    excerpt: [...(line > 1 ? show(line - 1) : []), ...show(line), marker, ...show(line + 1)].join('\n'),
  };
}

const maxLine = 200;

function cut(text: string): string {
  return text.length > maxLine ? `${text.slice(0, maxLine)}…` : text.replace(/\r$/, '');
}
