import type { Tool } from '../../ports/source.ts';
import { isObject, SchemaReader } from './schema-words.ts';

/** What a tool is found by, field by field, as text. */
export interface SearchableTool {
  path: string;
  name: string;
  group: string;
  summary: string;
  text: string;
  parameters: string[];
  aboutParameters: string[];
  /** Of the HTTP path, what is not a parameter. */
  route: string;
  results: string[];
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
    group: last > start ? path.slice(start, last - 1) : '',
    ...splitDescription(description),
    parameters: names,
    aboutParameters: about,
    route,
    results: reader.result(tool.outputSchema),
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
    route: route.replace(/\{[^}]*\}/g, ' '),
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
    const after = wordsBefore(route, name);
    found.push({ name, description: descriptionOf(value), ...(after !== '' && { after }) });
  }
  return found;
}

function descriptionOf(value: unknown): string {
  if (!isObject(value)) return '';
  const { description, items } = value;
  if (typeof description === 'string') return description.slice(0, mostAbout);
  return items === undefined ? '' : descriptionOf(items);
}

/** `artists` for `id` in `/artists/{id}/albums`. */
function wordsBefore(route: string, parameter: string): string {
  const at = route.indexOf(`/{${parameter}}`);
  const before = at < 0 ? '' : route.slice(route.lastIndexOf('/', at - 1) + 1, at);
  return before.includes('{') ? '' : before;
}
