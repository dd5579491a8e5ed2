import type { Tool } from '../../ports/source.ts';
import { isObject, SchemaReader } from './schema-words.ts';

/** What a tool is found by, field by field, as text. */
export interface SearchableTool {
  path: string;
  name: string;
  /** What its path and its tags file it under. */
  group: string;
  summary: string;
  text: string;
  parameters: string[];
  aboutParameters: string[];
  /** Of the HTTP path, what is not a parameter. */
  route: string;
  results: string[];
  /** Whether it may answer anything by which a thing can be named later. */
  mayIdentify: boolean;
  method?: string;
  effect: Tool['effect'];
  deprecated: boolean;
  /** What a caller must know beforehand. */
  required: RequiredParameter[];
}

/** The part of it that says what a caller must know beforehand. */
export type AskingTool = Pick<SearchableTool, 'path' | 'route' | 'method' | 'required'>;

export interface RequiredParameter {
  name: string;
  description: string;
  /** In an HTTP path, the words before it: `/artists/{id}`. */
  after?: string;
  /** The HTTP path up to it, in the form of a `route`: what lists those that it is one of. */
  within?: string;
}

const mostText = 360;
const mostSummary = 160;
const mostAbout = 120;
const mostRequired = 12;

/** All tools of a source, one by one. */
export function* searchableTools(tools: Iterable<Tool>): Generator<SearchableTool> {
  let reader: SchemaReader | undefined;
  for (const tool of tools) {
    reader ??= new SchemaReader(tool.definitions);
    yield searchableTool(tool, reader);
  }
}

function searchableTool(tool: Tool, reader: SchemaReader): SearchableTool {
  const { path, description, effect, deprecated, origin } = tool;
  const start = path.indexOf('.') + 1;
  const last = path.lastIndexOf('.') + 1;
  const { names, about } = reader.input(tool.inputSchema);
  // Field by field: spreading one into the other would cost as much as all the rest.
  const { route, method, required } = askingTool(tool);
  return {
    path,
    name: nameOf(path.slice(last), origin),
    group: [last > start ? path.slice(start, last - 1) : '', ...(tool.tags ?? [])].join(' '),
    ...splitDescription(description),
    parameters: names,
    aboutParameters: about,
    route,
    results: reader.result(tool.outputSchema),
    mayIdentify: reader.mayIdentify(tool.outputSchema),
    ...(method !== undefined && { method }),
    effect,
    deprecated: deprecated === true,
    required,
  };
}

export function askingTool(tool: Tool): AskingTool {
  const { path, origin } = tool;
  const route = typeof origin.path === 'string' ? origin.path : '';
  return {
    path,
    route: withoutParameters(route),
    ...(typeof origin.method === 'string' && { method: origin.method }),
    required: requiredOf(tool, route),
  };
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
  const cut = end < 0 ? Math.min(description.length, mostSummary) : Math.min(end, mostSummary);
  return { summary: description.slice(0, cut), text: description.slice(cut, cut + mostText) };
}

function requiredOf({ inputSchema }: Tool, route: string): RequiredParameter[] {
  if (!isObject(inputSchema) || !Array.isArray(inputSchema.required)) return [];
  const { properties } = inputSchema;
  const found: RequiredParameter[] = [];
  for (const name of inputSchema.required) {
    if (typeof name !== 'string' || found.length >= mostRequired) continue;
    const value = isObject(properties) ? properties[name] : undefined;
    found.push({ name, description: descriptionOf(value), ...placeOf(route, name) });
  }
  return found;
}

/** `artists` for `id` in `/artists/{id}/albums`. */
function placeOf(route: string, parameter: string): Pick<RequiredParameter, 'after' | 'within'> {
  const at = route.indexOf(`/{${parameter}}`);
  if (at < 0) return {};
  const after = route.slice(route.lastIndexOf('/', at - 1) + 1, at);
  return {
    ...(after !== '' && !after.includes('{') && { after }),
    within: withoutParameters(route.slice(0, at)),
  };
}

function withoutParameters(route: string): string {
  return route.replace(/\{[^}]*\}/g, ' ');
}

function descriptionOf(value: unknown): string {
  if (!isObject(value)) return '';
  const { description, items } = value;
  if (typeof description === 'string') return description.slice(0, mostAbout);
  return items === undefined ? '' : descriptionOf(items);
}
