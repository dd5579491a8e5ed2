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
  /** The folders of the log file. Without them no file is written, because a file may have only one writer. */
  folders?: Folders;
  level: 'debug' | 'info' | 'warn' | 'error';
  /** Also write to this stream: as text to a terminal, as JSON to a pipe. */
  foreground?: NodeJS.WriteStream;
}

/** Structured logs, one JSON object per line, to a rotating file, to the foreground, or both. */
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

/** The server keeps running if the reader disappears (a closed terminal, `| head`). */
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
