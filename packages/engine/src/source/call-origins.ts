import type { SourceSettings, ToolRow } from '../ports/source.ts';

interface Place {
  settings: SourceSettings;
  /** What the document says. */
  baseUrl: string | null | undefined;
}

/** Shown and compared with; a document that names more is not one that a person could look through. */
const maxOrigins = 100;

/** Where the calls of a tool go, as an origin. What a person said counts for all of them. */
export function originOfCalls({ settings, baseUrl }: Place, { target }: Pick<ToolRow, 'target'>) {
  const said = settings.baseUrl;
  return typeof said === 'string' ? originOf(said) : (target ?? originOf(baseUrl ?? undefined));
}

/** Where any of its calls go: the origin of the base first. */
export function callOrigins(place: Place, rows: Iterable<ToolRow>): Set<string> {
  const origins = new Set<string>();
  const add = (origin: string | undefined) => origin !== undefined && origins.add(origin);
  add(originOfCalls(place, {}));
  for (const row of rows) add(originOfCalls(place, row));
  return origins;
}

/** As the row of a source keeps them. */
export function shownOrigins(place: Place, rows: Iterable<ToolRow>): string[] {
  return [...callOrigins(place, rows)].slice(0, maxOrigins);
}

export function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : url;
}
