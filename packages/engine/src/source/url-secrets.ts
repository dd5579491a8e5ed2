import { asksForSecret } from '../interaction/secret-words.ts';
import type { SourceSettings } from '../ports/source.ts';

/** Replaces values of query parameters (`?sig=…`) and removes user names and passwords from URLs. */
export function withoutValues(text: string): string {
  return text.replace(/([?&][^=&\s"'#]{1,100}=)[^&\s"'#]+/g, '$1…').replace(/(:\/\/)[^/?#\s"'@]*@/g, '$1');
}

/** The same for one whole URL, whose query may also be a value without a name. */
export function urlWithoutValues(url: string): string {
  return withoutValues(url).replace(/([?&])[^=&#]+(?=[&#]|$)/g, '$1…');
}

/** The URLs of a source for an audit entry. */
export function shownUrls({ url, baseUrl }: SourceSettings): { url?: string; baseUrl?: string } {
  return {
    ...(typeof url === 'string' && { url: withoutValues(url) }),
    ...(typeof baseUrl === 'string' && { baseUrl: urlWithoutValues(baseUrl) }),
  };
}

/** The values in a URL that are probably secret: its password, and query parameters that are called or look like secrets. */
export function secretsIn(url: unknown): string[] {
  if (typeof url !== 'string' || !URL.canParse(url)) return [];
  const { username, password, searchParams, search } = new URL(url);
  const pair = `${decoded(username)}:${decoded(password)}`;
  const passwords =
    password === '' ? [] : [password, decoded(password), Buffer.from(pair).toString('base64')];
  const secret = [...searchParams].filter(([name, value]) => isSecretName(name) || isImprobable(value));
  // As they are written, too: a server may repeat the query without decoding it.
  const written = search
    .slice(1)
    .split('&')
    .map((part) => part.slice(part.indexOf('=') + 1));
  const values = new Set(secret.map(([, value]) => value));
  const forms = written.filter((text) => values.has(decoded(text.replaceAll('+', ' '))));
  return [...new Set([...passwords, ...values, ...forms])];
}

function isSecretName(name: string): boolean {
  return asksForSecret([name]) || /(^|[^a-z])(key|sig|signature|auth|access|code|hash|hmac)$/i.test(name);
}

/** Ordinary values, such as versions and formats, are shorter or have spaces. */
function isImprobable(value: string): boolean {
  return /^\S{20,}$/.test(value);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
