import type { Tool, ToolRow } from '../../../ports/source.ts';

/** What a tool says of itself in words, beside its schemas. */
export interface TextFields {
  name: string;
  /** What its path and its tags file it under. */
  group: string;
  summary: string;
  text: string;
}

const maxText = 360;
const maxSummary = 160;

export function textFields({ path, origin, description, tags }: Tool): TextFields {
  const start = path.indexOf('.') + 1;
  const last = path.lastIndexOf('.') + 1;
  const group = last > start ? path.slice(start, last - 1) : '';
  return {
    name: nameOf(path.slice(last), origin),
    group: tags ? [group, ...tags].join(' ') : group,
    ...splitDescription(description),
  };
}

/** The HTTP path, with a blank for each parameter; empty where it has none. */
export function routeOf({ origin: { path } }: Pick<ToolRow, 'origin'>): string {
  return typeof path === 'string' ? withoutParameters(path) : '';
}

/** The route up to a parameter: what lists those that it is one of. Undefined where it is not in the path. */
export function routeBefore(
  parameter: string,
  { origin: { path } }: Pick<ToolRow, 'origin'>,
): string | undefined {
  const at = typeof path === 'string' ? path.indexOf(`/{${parameter}}`) : -1;
  return at < 0 ? undefined : withoutParameters((path as string).slice(0, at));
}

/** The last words of a route: `artists` of `/artists`. Undefined where a parameter comes last. */
export function lastSegment(route: string): string | undefined {
  const place = route.slice(route.lastIndexOf('/') + 1);
  return place === '' || place.includes(' ') ? undefined : place;
}

/** What its system calls it says the same or more. */
function nameOf(own: string, { operationId, name }: Tool['origin']): string {
  const said = typeof operationId === 'string' ? operationId : typeof name === 'string' ? name : '';
  // `issues/list-for-repo` is in a group too.
  const also = said.slice(Math.max(said.lastIndexOf('/'), said.lastIndexOf('.')) + 1);
  return also === '' || also === own ? own : `${own} ${also}`;
}

/** The first line or sentence says what it does, the rest explains it. */
function splitDescription(given: string): { summary: string; text: string } {
  // What is taken from the comment of a function begins with an empty line.
  const description = given.trimStart();
  const end = description.search(/\n|[.!?;](?:\s|$)|[。！？；]/);
  const cut = end < 0 ? Math.min(description.length, maxSummary) : Math.min(end, maxSummary);
  return { summary: description.slice(0, cut), text: description.slice(cut, cut + maxText) };
}

function withoutParameters(route: string): string {
  return route.includes('{') ? route.replace(/\{[^{}]*\}/g, ' ') : route;
}
