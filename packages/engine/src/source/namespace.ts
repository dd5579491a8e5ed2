import { ExecutorError, Namespace } from '@executor/protocol';
import type { SourceRequest } from './source-request.ts';

/** Words in titles that do not identify a system. */
const noise = new Set(
  'a an and api apis beta definition description docs documentation endpoint endpoints for http https of official open openapi public reference rest restful service services spec specification swagger the version web'.split(
    ' ',
  ),
);
const maxWords = 3;
const maxChars = 40;

/** The namespace for a name that the user chose: `my-crm` becomes `myCrm`. */
export function namespaceFromName(name: string): string | undefined {
  if (/^[a-z_$]/.test(name) && Namespace.safeParse(name).success) return name;
  return identifier(wordsOf(name));
}

/** The namespace for a system's title: `GitHub v3 REST API` becomes `github`. Text after ` + ` does not name the system. */
export function namespaceFromTitle(title: string): string | undefined {
  const [system = ''] = title.split(/\s\+\s/, 1);
  const words = wordsOf(system).filter((word) => !noise.has(word) && !/^v?\d+$/.test(word));
  return identifier(words.slice(0, maxWords));
}

/** The namespace for a URL: `api.github.com` becomes `github`. An IP address has none. */
export function namespaceFromUrl(url: string): string | undefined {
  const { hostname } = new URL(url);
  if (/^[\d.]+$|:/.test(hostname)) return undefined;
  const labels = hostname
    .split('.')
    .filter((label) => !/^(?:www|api|raw|docs|developers?|static)$/.test(label));
  const last = labels.length > 1 ? labels.at(-2) : labels.at(-1);
  return last === undefined ? undefined : identifier(wordsOf(last));
}

/** The namespace of a source until its title is known. */
export function provisionalNamespace({ name, url }: SourceRequest): string {
  return (name && namespaceFromName(name)) ?? (url && namespaceFromUrl(url)) ?? 'api';
}

/** The namespace of a source if the request names none. */
export function derivedNamespace(
  { name, url }: SourceRequest,
  title: string | undefined,
): string | undefined {
  return (
    (name && namespaceFromName(name)) ||
    (title && namespaceFromTitle(title)) ||
    (url && namespaceFromUrl(url)) ||
    undefined
  );
}

/** The namespace itself if it is free, or with the first number that makes it free. */
export function freeNamespace(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted;
  for (let number = 2; ; number++) {
    if (!taken.includes(`${wanted}${number}`)) return `${wanted}${number}`;
  }
}

export function requireFree(namespace: string, names: readonly string[]): void {
  if (names.includes(namespace)) throw taken(namespace);
}

export function taken(namespace: string): ExecutorError {
  return new ExecutorError(
    'conflict',
    `The namespace "${namespace}" is taken: a source has this name, or had it before it was renamed. Choose another one, or remove that source first.`,
    { details: { namespace } },
  );
}

function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]s\b/g, '')
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

function identifier(words: string[]): string | undefined {
  const joined = words
    .map((word, index) => (index === 0 ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`))
    .join('')
    .slice(0, maxChars);
  const name = /^\d/.test(joined) ? `_${joined}` : joined;
  return Namespace.safeParse(name).success ? name : undefined;
}
