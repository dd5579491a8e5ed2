import type { SourceLogLine } from '@executor/engine';
import { ExecutorError } from '@executor/protocol';
import { UnreachableError } from '../../http/unreachable-error.ts';
import { sentence } from '../call/call-failure.ts';
import { shortText } from '../call/short-text.ts';
import { ConnectError } from '../connection/open-session.ts';
import type { McpSettings } from '../settings.ts';

/** Why a server could not be read, as the user who adds it gets it. */
export function loadError(
  thrown: unknown,
  { url, command }: McpSettings,
  log: SourceLogLine[],
): ExecutorError {
  if (thrown instanceof ExecutorError) return thrown;
  const { status, error = thrown } = thrown instanceof ConnectError ? thrown.failure : {};
  const reason = sentence(shortText(error instanceof Error ? error.message : String(error), 500));
  if (command !== undefined) {
    const lines = linesOfLastStart(log).map((text) => text.slice(0, 300));
    const wrote = lines.length === 0 ? '' : ` Its last lines: ${lines.join(' | ')}`;
    return new ExecutorError(
      'unusableDocument',
      `${command} does not work as an MCP server: ${reason}${wrote}`,
      { cause: thrown },
    );
  }
  const shown = url === undefined ? '' : shownUrl(url);
  if (error instanceof UnreachableError)
    return new ExecutorError('unreachable', error.message, { cause: thrown });
  if (status === 401 || status === 403)
    return new ExecutorError(
      'unusableDocument',
      `${shown} requires credentials: the server responded with ${status}. Add credentials to the source.`,
      { cause: thrown, details: { status } },
    );
  const answer = status === undefined ? reason : `the server responded with ${status}.`;
  return new ExecutorError(
    'unusableDocument',
    `There is no MCP server at ${shown}: ${answer} Check the URL.`,
    {
      cause: thrown,
      ...(status !== undefined && { details: { status } }),
    },
  );
}

const shownLines = 8;

/** Stack frames and lines of brackets would hide the line that names the error. */
function linesOfLastStart(log: SourceLogLine[]): string[] {
  const lines = log.map(({ text }) => text.trim());
  const start = lines.findLastIndex((text) => text.startsWith('Executor starts '));
  return lines
    .slice(start + 1)
    .filter((text) => /\p{L}/u.test(text) && !/^at \S/.test(text))
    .slice(-shownLines);
}

function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
