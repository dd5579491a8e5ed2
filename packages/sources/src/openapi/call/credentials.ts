import type { Auth } from '@executor/engine';
import { RequestError } from '../../call/request-error.ts';
import type { SendOptions } from '../../http/http-client.ts';
import { checkHeader } from '../request/header-parameter.ts';
import { isOverrideField, isOverrideHeader } from '../request/names/method-override.ts';

/** The credentials of a connection in the form in which they are sent. Undefined if there are none. */
export function credentialsOf({
  headers = {},
  query = {},
  cookies = {},
  certificate,
}: Auth): SendOptions['credentials'] {
  const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  const all = { ...headers, ...(cookie.length > 0 && { cookie: cookie.join('; ') }) };
  for (const [name, value] of Object.entries(all)) checkHeader(name, value);
  checkOverrides(Object.keys(headers), [...Object.keys(query), ...Object.keys(cookies)]);
  if (Object.keys(all).length === 0 && Object.keys(query).length === 0 && certificate === undefined)
    return undefined;
  return { headers: all, query, ...(certificate && { certificate }) };
}

/** Nobody sees the value of a credential, so it must not decide what the call does. */
function checkOverrides(headers: string[], fields: string[]): void {
  const name = headers.find(isOverrideHeader) ?? fields.find(isOverrideField);
  if (name !== undefined)
    throw new RequestError(
      `The credential ${name} would replace the method of the request. Remove it from the credentials of the source.`,
    );
}
