/** The parsed path of an operation. */
export interface PathTemplate {
  /** Includes placeholders and any constant query: `/report?format=csv`. */
  path: string;
  placeholders: string[];
  /** Query parameters that some documents write into the path: `/search?q={query}`. */
  query: { name: string; placeholder: string }[];
}

/** Parses the path of a document. A fragment only distinguishes operations of one path and is never sent. */
export function readPath(path: string): PathTemplate {
  const [sent = ''] = path.split('#');
  const [pathname = '', ...queries] = sent.split('?');
  const pairs = queries.join('?').split('&');
  const query = pairs.flatMap((pair) => {
    const [, name, placeholder] = /^([^={}]{1,200})=\{([^{}]{1,200})\}$/.exec(pair) ?? [];
    return name !== undefined && placeholder !== undefined ? [{ name, placeholder, pair }] : [];
  });
  const constant = pairs.filter((pair) => pair !== '' && !query.some((one) => one.pair === pair));
  const result = constant.length > 0 ? `${pathname}?${constant.join('&')}` : pathname;
  return {
    path: result,
    placeholders: placeholdersOf(result),
    query: query.map(({ name, placeholder }) => ({ name, placeholder })),
  };
}

/** The distinct names in braces in a path or URL. */
export function placeholdersOf(template: string): string[] {
  return [...new Set([...template.matchAll(/\{([^{}/]{1,200})\}/g)].map(([, name]) => name as string))];
}
