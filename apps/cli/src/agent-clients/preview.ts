/** A line that an edit takes away or adds. */
export interface Change {
  sign: '-' | '+';
  line: number;
  text: string;
}

/**
 * What an edit of one place changes. Lines around it are not shown: they may hold keys of others, and the edit is none of their business.
 * Neither are keys of ours.
 */
export function changesBetween(before: string, after: string): Change[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && isSame(old[head], now[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const removed = old.slice(head, old.length - tail);
  const added = now.slice(head, now.length - tail);
  const [was = '', is = ''] = [removed[0], added[0]];
  const parts = removed.length === 1 && added.length === 1 ? differing(was, is) : [removed, added];
  const change = (sign: Change['sign']) => (text: string, index: number) => ({
    sign,
    line: head + index + 1,
    text: withoutKeys(text),
  });
  return [...(parts[0] ?? []).map(change('-')), ...(parts[1] ?? []).map(change('+'))];
}

/** Of a line that is long because all of a file is on it, the part that changes. */
function differing(was: string, is: string): [string[], string[]] {
  const shorter = Math.min(was.length, is.length);
  let head = 0;
  while (head < shorter && was[head] === is[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && was.at(-1 - tail) === is.at(-1 - tail)) tail += 1;
  const part = (line: string) => line.slice(head, line.length - tail);
  const shown = (line: string) =>
    part(line) === '' ? [] : [`${head > 0 ? '…' : ''}${part(line)}${tail > 0 ? '…' : ''}`];
  return [shown(was), shown(is)];
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** A line that only got or lost a comma is not worth showing. */
function isSame(old: string | undefined, now: string | undefined): boolean {
  const bare = (line: string | undefined) => line?.replace(/,(?=\s*(\/\/.*)?$)/, '');
  return bare(old) === bare(now);
}

function withoutKeys(line: string): string {
  return line.replace(/((?:EXECUTOR_TOKEN|Authorization)"?\s*[:=]\s*")[^"]*/g, '$1…');
}
