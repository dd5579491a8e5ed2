import type { Tool, ToolRow } from '../../../ports/source.ts';

/** The texts of a tool, besides its schemas. */
export interface TextFields {
  name: string;
  /** The groups in its path, and its tags. */
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

/** The HTTP path with a blank for each parameter; empty for a tool without HTTP. */
export function routeOf({ origin: { path } }: Pick<ToolRow, 'origin'>): string {
  return typeof path === 'string' ? withoutParameters(path) : '';
}

/**
 * The route before a parameter, which usually lists the resources that the parameter identifies. Undefined if it is not
 * in the path.
 */
export function routeBefore(
  parameter: string,
  { origin: { path } }: Pick<ToolRow, 'origin'>,
): string | undefined {
  const start = typeof path === 'string' ? path.indexOf(`/{${parameter}}`) : -1;
  return start < 0 ? undefined : withoutParameters((path as string).slice(0, start));
}

/** The last segment of a route: `artists` of `/artists`. Undefined if it is a parameter. */
export function lastSegment(route: string): string | undefined {
  const segment = route.slice(route.lastIndexOf('/') + 1);
  return segment === '' || segment.includes(' ') ? undefined : segment;
}

/** Adds the name in the source's own document, which may say more than the last segment of the path. */
function nameOf(lastPathSegment: string, { operationId, name }: Tool['origin']): string {
  const original = typeof operationId === 'string' ? operationId : typeof name === 'string' ? name : '';
  // `issues/list-for-repo` has a group in front.
  const ownName = original.slice(Math.max(original.lastIndexOf('/'), original.lastIndexOf('.')) + 1);
  return ownName === '' || ownName === lastPathSegment ? lastPathSegment : `${lastPathSegment} ${ownName}`;
}

/** The first line or sentence is the summary. */
function splitDescription(text: string): { summary: string; text: string } {
  // A description from the comment of a function begins with an empty line.
  const description = text.trimStart();
  const end = description.search(/\n|[.!?;](?:\s|$)|[。！？；]/);
  const cut = end < 0 ? Math.min(description.length, maxSummary) : Math.min(end, maxSummary);
  return { summary: description.slice(0, cut), text: description.slice(cut, cut + maxText) };
}

function withoutParameters(route: string): string {
  return route.includes('{') ? route.replace(/\{[^{}]*\}/g, ' ') : route;
}
