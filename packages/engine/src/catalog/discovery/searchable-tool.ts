import type { Tool, ToolRow } from '../../ports/source.ts';
import { requiredOf, type SourceWords, type ToolWords } from './tool-words.ts';

/** What a tool is found by, field by field: texts of its own, and the numbers of those that others may have too. */
export interface SearchableTool extends Pick<ToolWords, 'names' | 'about' | 'results' | 'mayIdentify'> {
  path: string;
  name: string;
  /** What its path and its tags file it under. */
  group: string;
  summary: string;
  text: string;
  /** Of the HTTP path, what is not a parameter. */
  route: string;
  method: string | undefined;
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
  after: string | undefined;
  /** The HTTP path up to it, in the form of a `route`: what lists those that it is one of. */
  within: string | undefined;
}

const mostText = 360;
const mostSummary = 160;

/** All tools of a source, one by one. */
export function* searchableTools(tools: Iterable<ToolRow>, words: SourceWords): Generator<SearchableTool> {
  const wordsOfTools = words.tools[Symbol.iterator]();
  for (const tool of tools) yield searchableTool(tool, wordsOfTools.next().value as ToolWords, words.texts);
}

function searchableTool(tool: ToolRow, words: ToolWords, texts: string[]): SearchableTool {
  const { path, origin } = tool;
  const start = path.indexOf('.') + 1;
  const last = path.lastIndexOf('.') + 1;
  const group = last > start ? path.slice(start, last - 1) : '';
  const { summary, text } = splitDescription(tool.description);
  const route = routeOf(tool);
  return {
    path,
    name: nameOf(path.slice(last), origin),
    group: words.tags ? [group, ...words.tags].join(' ') : group,
    summary,
    text,
    names: words.names,
    about: words.about,
    results: words.results,
    mayIdentify: words.mayIdentify,
    route: withoutParameters(route),
    method: methodOf(tool),
    effect: tool.effect,
    deprecated: tool.deprecated === true,
    required: words.required.map(([name, description]) =>
      requiredParameter(texts[name] as string, texts[description] as string, route),
    ),
  };
}

export function askingTool(tool: Tool): AskingTool {
  const route = routeOf(tool);
  return {
    path: tool.path,
    route: withoutParameters(route),
    method: methodOf(tool),
    required: requiredOf(tool.inputSchema).map(({ name, description }) =>
      requiredParameter(name, description, route),
    ),
  };
}

function routeOf({ origin: { path } }: ToolRow): string {
  return typeof path === 'string' ? path : '';
}

function methodOf({ origin: { method } }: ToolRow): string | undefined {
  return typeof method === 'string' ? method : undefined;
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

/** `artists` for `id` in `/artists/{id}/albums`. */
function requiredParameter(name: string, description: string, route: string): RequiredParameter {
  const at = route.indexOf(`/{${name}}`);
  if (at < 0) return { name, description, after: undefined, within: undefined };
  const after = route.slice(route.lastIndexOf('/', at - 1) + 1, at);
  return {
    name,
    description,
    after: after !== '' && !after.includes('{') ? after : undefined,
    within: withoutParameters(route.slice(0, at)),
  };
}

function withoutParameters(route: string): string {
  return route.includes('{') ? route.replace(/\{[^}]*\}/g, ' ') : route;
}
