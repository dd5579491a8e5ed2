import { RequestError } from '../../call/request-error.ts';
import type { OperationPlan, ServerPlan } from '../operation.ts';
import type { OpenApiSettings } from '../settings.ts';

/** The server URL of an operation: from the settings, else the document's first server. */
export function serverUrl(plan: Pick<OperationPlan, 'servers'>, settings: OpenApiSettings): URL {
  if (settings.baseUrl !== undefined) return parse(settings.baseUrl);
  const [server] = plan.servers;
  if (server === undefined) {
    throw new RequestError(
      'The document names no server for this operation. Set a base URL for the source: executor sources edit NS --base-url URL',
    );
  }
  const url = parse(fillVariables(server, settings.serverVariables ?? {}));
  // A user may put credentials in a base URL; a document or a variable may not.
  url.username = '';
  url.password = '';
  return url;
}

function fillVariables({ url, variables = {} }: ServerPlan, chosen: Record<string, string>): string {
  return url.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = Object.hasOwn(chosen, name) ? chosen[name] : variable?.default;
    if (value === undefined)
      throw new RequestError(
        `The server variable ${name} of this operation has no value. Set it: executor sources edit NS --server-variable ${name}=VALUE`,
      );
    const allowed = variable?.enum ?? [];
    if (allowed.length > 0 && !allowed.includes(value))
      throw new RequestError(
        `The server variable ${name} must be one of ${allowed.join(', ')}, not ${value}. Change it: executor sources edit NS --server-variable ${name}=VALUE`,
      );
    return value;
  });
}

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new RequestError(
      `${text.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//')} is not an http or https URL. Set a base URL for the source: executor sources edit NS --base-url URL`,
    );
  url.hash = '';
  return url;
}
