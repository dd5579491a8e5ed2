import type { OperationPlan, ParameterPlan } from '../operation.ts';
import type { OpenApiSettings } from '../settings.ts';
import { writePathParameter } from './path-parameter.ts';
import { writeQueryParameter } from './query-parameter.ts';
import { RequestError } from './request-error.ts';
import { serverUrl } from './server-url.ts';

/** Gives the value of a parameter in the input; undefined where there is none. */
export type ReadValue = (parameter: ParameterPlan) => unknown;

/** The address of a call. The query of the base comes first, then that of the path, then the parameters in the document's order. */
export function requestUrl(plan: OperationPlan, settings: OpenApiSettings, read: ReadValue): string {
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
  const query = [url.search.slice(1), ownQuery && fill(ownQuery), ...parameters].filter((part) => part);
  url.pathname = joinPaths(url.pathname, path);
  url.search = query.length === 0 ? '' : `?${query.join('&')}`;
  return url.href;
}

/** Puts values in the place of placeholders; some documents have them in the query of a path too. */
function filler(parameters: ParameterPlan[], read: ReadValue): (text: string) => string {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  return (text) =>
    text.replace(/\{([^{}]*)\}/g, (_, name: string) => {
      const parameter = inPath.find((one) => one.name === name);
      if (parameter === undefined)
        throw new RequestError(`The document does not say what ${name} in the path is.`);
      return writePathParameter(parameter, read(parameter));
    });
}

/** An address has no way to write a segment that is called `..`: encoded or not, it leads somewhere else. */
function checkSegment(template: string, written: string): string {
  if (template !== written && /^(\.|%2e){1,2}$/i.test(written))
    throw new RequestError(`${template} is part of the path, and "." and ".." cannot be sent there.`);
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
