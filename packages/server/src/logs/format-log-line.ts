import { printable } from '@executor/protocol';
import * as z from 'zod';

const LogLine = z.looseObject({ time: z.string(), level: z.string(), msg: z.string().optional() });

const colors: Record<string, number> = { debug: 90, info: 36, warn: 33, error: 31, fatal: 31 };

/** Formats a JSON log line for a terminal. Other lines are unchanged. */
export function formatLogLine(line: string, colored: boolean): string {
  const parsed = LogLine.safeParse(parseJson(line));
  if (!parsed.success) return printable(line.trimEnd());
  const { time, level, msg = '', err, ...fields } = parsed.data;
  const paint = (text: string, color: number) => (colored ? `\u001b[${color}m${text}\u001b[39m` : text);
  const rest = Object.entries(fields).map(([name, value]) => paint(`${name}=`, 90) + show(value));
  const stack = isError(err) ? `\n${printable(err.stack ?? err.message)}` : '';
  return (
    [paint(clock(time), 90), paint(level.padEnd(5), colors[level] ?? 39), printable(msg), ...rest].join(' ') +
    stack
  );
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function clock(time: string): string {
  return time.replace('T', ' ').replace('Z', '');
}

function show(value: unknown): string {
  return typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : printable(JSON.stringify(value));
}

function isError(value: unknown): value is { message: string; stack?: string } {
  return typeof value === 'object' && value !== null && 'message' in value;
}
