import { join } from 'node:path';
import { type Folders, unusable } from '@executor/home';
import { type Logger, multistream, pino, stdTimeFunctions } from 'pino';
import { formatLogLine } from './format-log-line.ts';
import { RotatingFile } from './rotating-file.ts';

export function logFilePath(folders: Folders): string {
  return join(folders.logs, 'executor.log');
}

export type { Logger };

interface LoggerOptions {
  /** Whose log file to write. Without them there is no file: a file has one writer. */
  folders?: Folders;
  level: 'debug' | 'info' | 'warn' | 'error';
  /** Where a person watches, if one does: lines go there too, as text at a terminal and as JSON in a pipe. */
  foreground?: NodeJS.WriteStream;
}

/** Structured logs: one JSON object a line, in a file that rotates, before whoever watches, or both. */
export function createLogger({ folders, level, foreground }: LoggerOptions): Logger {
  const streams: { level: typeof level; stream: { write(line: string): void } }[] = [];
  if (folders) streams.push({ level, stream: openLogFile(logFilePath(folders)) });
  if (foreground) streams.push({ level, stream: watchedStream(foreground) });
  return pino(
    {
      level,
      base: undefined,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    multistream(streams),
  );
}

function openLogFile(path: string): RotatingFile {
  try {
    return new RotatingFile(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

/** A reader that goes away (a closed terminal, `| head`) is no reason to stop serving. */
function watchedStream(stream: NodeJS.WriteStream): { write(line: string): void } {
  let open = true;
  stream.on('error', () => {
    open = false;
  });
  return {
    write(line) {
      if (open) stream.write(stream.isTTY ? `${formatLogLine(line, stream.hasColors())}\n` : line);
    },
  };
}
