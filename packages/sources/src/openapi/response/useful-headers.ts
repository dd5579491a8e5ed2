import type { HttpResponse } from '../../http/http-client.ts';

/** Response headers that are useful to a caller. Transport headers are dropped. */
const worthy =
  /^(content-type|content-range|content-disposition|content-language|location|link|etag|last-modified|retry-after|allow|warning|deprecation|sunset|ratelimit.*|request-id|.*request-?id|.*correlation-?id|x-.*)$/;
const noise =
  /^x-(frame-options|xss-protection|content-type-options|powered-by|served-by|cache.*|timer|amz-cf-.*|download-options|dns-prefetch-control|permitted-cross-domain-policies|ua-compatible|robots-tag|runtime|envoy-.*|varnish|via|edge-.*|proxy-.*|akamai-.*)$/;
const longest = 4000;

export function headersWorthHaving(
  headers: HttpResponse['headers'],
  { method }: { method: string },
): Record<string, string> {
  // For a body it is the compressed size; for HEAD it is often what the caller wants.
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
