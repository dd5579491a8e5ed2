import type { HttpResponse } from '../../http/http-client.ts';

/** Headers that tell a caller something about the answer; the rest is between the servers on the way. */
const worthy =
  /^(content-type|content-range|content-disposition|content-language|location|link|etag|last-modified|retry-after|allow|warning|deprecation|sunset|ratelimit.*|request-id|.*request-?id|.*correlation-?id|x-.*)$/;
const noise =
  /^x-(frame-options|xss-protection|content-type-options|powered-by|served-by|cache.*|timer|amz-cf-.*|download-options|dns-prefetch-control|permitted-cross-domain-policies|ua-compatible|robots-tag|runtime|envoy-.*|varnish|via|edge-.*|proxy-.*|akamai-.*)$/;
const longest = 4000;

export function headersWorthHaving(
  headers: HttpResponse['headers'],
  { method }: { method: string },
): Record<string, string> {
  // Of a body that comes it is the size on the way; of one that does not, it is often what was asked for.
  const isSize = (name: string) => name === 'content-length' && /^head$/i.test(method);
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => (worthy.test(name) && !noise.test(name)) || isSize(name))
      .map(([name, value]) => [
        name,
        String(Array.isArray(value) ? value.join(', ') : value).slice(0, longest),
      ]),
  );
}
