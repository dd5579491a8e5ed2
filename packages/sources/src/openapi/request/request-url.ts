import { RequestError } from '../../call/request-error.ts';
import type { OperationPlan, ParameterPlan } from '../operation.ts';
import type { OpenApiSettings } from '../settings.ts';
import { queryNames, type SentName } from './names/sent-names.ts';
import { writePathParameter } from './path-parameter.ts';
import { writeQueryParameter } from './query-parameter.ts';
import { serverUrl } from './server-url.ts';

/** Returns the value of a parameter in the input; undefined if absent. */
export type ReadValue = (parameter: ParameterPlan) => unknown;

export interface RequestUrl {
  url: string;
  /** The same without the values in the base URL's query, which may be secret. */
  shownUrl: string;
  /** The names in its query that do not come from query parameters. */
  names: SentName[];
}

/** The URL of a call. The query has the base URL's part first, then the path's, then the parameters in the document's order. */
export function requestUrl(plan: OperationPlan, settings: OpenApiSettings, read: ReadValue): RequestUrl {
  const url = serverUrl(plan, settings);
  const [template = '', ownQuery] = splitOnce(plan.path.replace(/#.*$/s, ''), '?');
  const fill = filler(plan.parameters, read);
  const path = template
    .split('/')
    .map((segment) => checkSegment(segment, fill(segment)))
    .join('/');
  const parameters = plan.parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap((parameter) => writeQueryParameter(parameter, read(parameter)));
  const baseQuery = url.search.slice(1);
  const pathQuery = ownQuery === undefined ? '' : fill(ownQuery);
  const query = [baseQuery, pathQuery, ...parameters].filter((part) => part);
  url.pathname = joinPaths(url.pathname, path);
  url.search = query.length === 0 ? '' : `?${query.join('&')}`;
  const names = [
    ...queryNames(baseQuery, 'the base URL'),
    ...queryNames(pathQuery, 'the path of the operation', ownQuery),
  ];
  const shown = settings.baseUrl === undefined || baseQuery === '' ? baseQuery : withoutValues(baseQuery);
  const shownUrl = new URL(url);
  if (shown !== baseQuery) shownUrl.search = `?${[shown, ...query.slice(1)].join('&')}`;
  return { url: url.href, shownUrl: shownUrl.href, names };
}

/** Replaces placeholders with values; some documents have them in the query of a path too. */
function filler(parameters: ParameterPlan[], read: ReadValue): (text: string) => string {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  return (text) =>
    text.replace(/\{([^{}]*)\}/g, (_, name: string) => {
      const parameter = inPath.find((one) => one.name === name);
      if (parameter === undefined)
        throw new RequestError(`The document does not declare ${name}, which is part of the path.`);
      return writePathParameter(parameter, read(parameter));
    });
}

/** A URL cannot carry the segment `..`: encoded or not, it changes the path. */
function checkSegment(template: string, written: string): string {
  if (template !== written && /^(\.|%2e){1,2}$/i.test(written))
    throw new RequestError(`${template} is part of the path and cannot be "." or "..".`);
  return written;
}

function joinPaths(base: string, path: string): string {
  const before = base.endsWith('/') ? base.slice(0, -1) : base;
  return path === '' || path.startsWith('/') ? before + path : `${before}/${path}`;
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** A part without a name is a value. */
function withoutValues(query: string): string {
  return query
    .split('&')
    .map((pair) => `${pair.includes('=') ? pair.slice(0, pair.indexOf('=') + 1) : ''}***`)
    .join('&');
}
