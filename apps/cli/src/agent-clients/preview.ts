/** A line that an edit removes or adds. */
export interface Change {
  sign: '-' | '+';
  line: number;
  text: string;
}

/**
 * The lines that an edit at one position changes. The lines around it are omitted, because they may contain keys of other programs.
 * Executor's own keys are hidden.
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
  const [oldLine = '', newLine = ''] = [removed[0], added[0]];
  const parts =
    removed.length === 1 && added.length === 1 ? changedParts(oldLine, newLine) : [removed, added];
  const change = (sign: Change['sign']) => (text: string, index: number) => ({
    sign,
    line: head + index + 1,
    text: withoutKeys(text),
  });
  return [...(parts[0] ?? []).map(change('-')), ...(parts[1] ?? []).map(change('+'))];
}

/** The parts of one line that differ. A file may be one long line. */
function changedParts(oldLine: string, newLine: string): [string[], string[]] {
  const shorter = Math.min(oldLine.length, newLine.length);
  let head = 0;
  while (head < shorter && oldLine[head] === newLine[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && oldLine.at(-1 - tail) === newLine.at(-1 - tail)) tail += 1;
  const part = (line: string) => line.slice(head, line.length - tail);
  const shown = (line: string) =>
    part(line) === '' ? [] : [`${head > 0 ? '…' : ''}${part(line)}${tail > 0 ? '…' : ''}`];
  return [shown(oldLine), shown(newLine)];
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Lines that differ only in a comma at the end count as equal. */
function isSame(old: string | undefined, now: string | undefined): boolean {
  const bare = (line: string | undefined) => line?.replace(/,(?=\s*(\/\/.*)?$)/, '');
  return bare(old) === bare(now);
}

function withoutKeys(line: string): string {
  return line.replace(/((?:EXECUTOR_TOKEN|Authorization)"?\s*[:=]\s*")[^"]*/g, '$1…');
}
