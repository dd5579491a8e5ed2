import { printable } from '@executor/protocol';

/** Equivalent JSON that is safe to print at a terminal: control characters are written as JSON escapes. */
export function jsonText(value: unknown, indent = 0): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Untrusted text on one line, cut to a maximum length. */
export function oneLine(text: string, room: number): string {
  const line = printable(text.replace(/\s+/g, ' ').trim());
  return line.length > room ? `${line.slice(0, room - 1)}…` : line;
}

/** Untrusted text with each line indented. */
export function indented(text: string, by = 2): string {
  return printable(text).replace(/^/gm, ' '.repeat(by));
}

/** The age of a time, for lists. */
export function ago(iso: string | undefined, now = Date.now()): string {
  if (iso === undefined) return 'never';
  const minutes = Math.floor((now - Date.parse(iso)) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return `${Math.floor(minutes / 60 / 24)} days ago`;
}

export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / 60 / 24)} days`;
}
