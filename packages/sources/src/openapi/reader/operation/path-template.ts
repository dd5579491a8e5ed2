import { placeholdersOf } from './placeholders.ts';

/** The path of an operation as it is sent. */
export interface PathTemplate {
  /** With placeholders; what it says of the query that never changes stays with it: `/report?format=csv`. */
  path: string;
  placeholders: string[];
  /** What some documents write into the path, though it is a parameter of the query: `/search?q={query}`. */
  query: { name: string; placeholder: string }[];
}

/** Takes apart the path of a document. A fragment tells operations of one path apart, and is never sent. */
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
