import type { SourceSettings, ToolRow } from '../ports/source.ts';

interface CallBase {
  settings: SourceSettings;
  /** The base URL in the document. */
  baseUrl: string | null | undefined;
}

/** The maximum that a row keeps. A reviewer could not check more. */
const maxOrigins = 100;

/** The origin that calls of a tool go to. A base URL in the settings applies to all tools. */
export function originOfCalls({ settings, baseUrl }: CallBase, { target }: Pick<ToolRow, 'target'>) {
  const chosen = settings.baseUrl;
  return chosen === undefined ? (target ?? originOf(baseUrl ?? undefined)) : originOf(chosen);
}

/** All origins that calls go to, the one of the base URL first. */
export function callOrigins(base: CallBase, rows: Iterable<ToolRow>): Set<string> {
  const origins = new Set<string>();
  const add = (origin: string | undefined) => origin !== undefined && origins.add(origin);
  add(originOfCalls(base, {}));
  for (const row of rows) add(originOfCalls(base, row));
  return origins;
}

/** The origins that the row of a source keeps. */
export function shownOrigins(base: CallBase, rows: Iterable<ToolRow>): string[] {
  return [...callOrigins(base, rows)].slice(0, maxOrigins);
}

export function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : url;
}
