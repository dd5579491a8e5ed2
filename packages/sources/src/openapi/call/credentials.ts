import type { Auth } from '@executor/engine';
import type { SendOptions } from '../../http/http-client.ts';
import { checkHeader } from '../request/header-parameter.ts';

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
  if (Object.keys(all).length === 0 && Object.keys(query).length === 0 && certificate === undefined)
    return undefined;
  return { headers: all, query, ...(certificate && { certificate }) };
}
