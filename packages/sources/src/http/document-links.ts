/** URLs that an HTML page links to: Swagger UI, Redoc, Scalar, RapiDoc, Stoplight, a `service-desc` link. */
export interface DocumentLinks {
  documents: string[];
  /** Scripts that may contain the page's configuration. */
  scripts: string[];
}

const maxLinks = 20;
const maxPageChars = 512 * 1024;

const markupPatterns = [
  /\b(?:spec-url|data-url|apidescriptionurl|spec_url)\s*=\s*["']([^"'<>]{1,2000})["']/gi,
  /<link\b[^<>]{0,500}\brel=["']service-desc["'][^<>]{0,500}\bhref=["']([^"'<>]{1,2000})["']/gi,
  /<link\b[^<>]{0,500}\bhref=["']([^"'<>]{1,2000})["'][^<>]{0,500}\brel=["']service-desc["']/gi,
];
const scriptPatterns = [
  /\bRedoc\.init\(\s*["']([^"'<>]{1,2000})["']/g,
  /["']?\b(?:url|specUrl|spec_url|swaggerUrl|openapi_url)["']?\s*[:=]\s*["']([^"'<>\s]{1,2000})["']/g,
  /\bhref=["']([^"'<>\s]{1,2000}\.(?:json|ya?ml))["']/g,
  /["']([^"'<>\s]{0,500}(?:openapi|swagger|api-docs)[^"'<>\s]{0,200}\.(?:json|ya?ml))["']/g,
];
const settingsScript =
  /<script\b[^<>]{0,500}\bsrc=["']([^"'<>]{0,1000}(?:swagger-initializer|swagger-ui-init|index|init)[\w.-]{0,100}\.js[^"'<>]{0,200})["']/gi;

export function documentLinks(page: string, base: string): DocumentLinks {
  const text = page.slice(0, maxPageChars);
  return {
    documents: matchingUrls(text, base, [...markupPatterns, ...scriptPatterns]).filter(
      (url) => !/\.(js|css|png|svg|html?)$/.test(url.split(/[?#]/)[0] ?? ''),
    ),
    scripts: matchingUrls(text, base, [settingsScript]).slice(0, 3),
  };
}

function matchingUrls(text: string, base: string, patterns: RegExp[]): string[] {
  const found = new Set<string>();
  for (const pattern of patterns) {
    for (const [, target = ''] of text.matchAll(pattern)) {
      const plain = target.replaceAll('&amp;', '&').replaceAll('\\/', '/');
      if (found.size < maxLinks && URL.canParse(plain, base)) found.add(new URL(plain, base).href);
    }
  }
  return [...found].filter((url) => /^https?:/.test(url));
}
