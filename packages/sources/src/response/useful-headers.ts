import type { HttpResponse } from '../http/http-client.ts';

/** Response headers that are useful to a caller. Transport headers are dropped. */
const useful =
  /^(content-type|content-range|content-disposition|content-language|location|link|etag|last-modified|retry-after|allow|warning|deprecation|sunset|ratelimit.*|request-id|.*request-?id|.*correlation-?id|x-.*)$/;
const noise =
  /^x-(frame-options|xss-protection|content-type-options|powered-by|served-by|cache.*|timer|amz-cf-.*|download-options|dns-prefetch-control|permitted-cross-domain-policies|ua-compatible|robots-tag|runtime|envoy-.*|varnish|via|edge-.*|proxy-.*|akamai-.*)$/;
const maxChars = 4000;

export function usefulHeaders(
  headers: HttpResponse['headers'],
  { method }: { method: string },
): Record<string, string> {
  // With a body, the header is the compressed size. For HEAD, it is often what the caller wants.
  const isSize = (name: string) => name === 'content-length' && /^head$/i.test(method);
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => (useful.test(name) && !noise.test(name)) || isSize(name))
      .map(([name, value]) => [
        name,
        String(Array.isArray(value) ? value.join(', ') : value).slice(0, maxChars),
      ]),
  );
}
