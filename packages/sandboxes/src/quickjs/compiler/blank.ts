export interface Range {
  start: number;
  end: number;
}

/** The text with what lies in the ranges blanked, so that everything keeps its place. They come in their order. */
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
