import { placeholdersOf } from './placeholders.ts';

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
  const [pathname = '', ...rest] = sent.split('?');
  const pairs = rest.join('?').split('&');
  const query = pairs.flatMap((pair) => {
    const [, name, placeholder] = /^([^={}]{1,200})=\{([^{}]{1,200})\}$/.exec(pair) ?? [];
    return name !== undefined && placeholder !== undefined ? [{ name, placeholder, pair }] : [];
  });
  const fixed = pairs.filter((pair) => pair !== '' && !query.some((one) => one.pair === pair));
  const result = fixed.length > 0 ? `${pathname}?${fixed.join('&')}` : pathname;
  return {
    path: result,
    placeholders: placeholdersOf(result),
    query: query.map(({ name, placeholder }) => ({ name, placeholder })),
  };
}
