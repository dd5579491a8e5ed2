export interface Range {
  start: number;
  end: number;
}

/** Replaces the ranges by blanks, so that all positions stay the same. The ranges must be in order. */
export function blankRanges(text: string, ranges: Range[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    pieces.push(text.slice(at, start), blank(text.slice(start, end)));
    at = end;
  }
  return [...pieces, text.slice(at)].join('');
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
