import type { OperationPlan, ServerPlan } from '../operation.ts';
import type { OpenApiSettings } from '../settings.ts';
import { RequestError } from './request-error.ts';

/** Where an operation is: what a person said, else what the document says first. */
export function serverUrl(plan: Pick<OperationPlan, 'servers'>, settings: OpenApiSettings): URL {
  if (settings.baseUrl !== undefined) return parse(settings.baseUrl);
  const [server] = plan.servers;
  if (server === undefined) {
    throw new RequestError('The document does not say where this operation is: give the source a base URL.');
  }
  const url = parse(fillIn(server, settings.serverVariables ?? {}));
  // A person may write credentials in a base URL; a document, in a variable, may not.
  url.username = '';
  url.password = '';
  return url;
}

function fillIn({ url, variables = {} }: ServerPlan, chosen: Record<string, string>): string {
  return url.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = Object.hasOwn(chosen, name) ? chosen[name] : variable?.default;
    if (value === undefined)
      throw new RequestError(
        `The address of this operation has the variable ${name}: give the source a value for it.`,
      );
    const allowed = variable?.enum ?? [];
    if (allowed.length > 0 && !allowed.includes(value))
      throw new RequestError(
        `The server variable ${name} must be one of ${allowed.join(', ')}, not ${value}.`,
      );
    return value;
  });
}

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new RequestError(
      `${text} is no http or https address that a call can go to: give the source a base URL.`,
    );
  url.hash = '';
  return url;
}
