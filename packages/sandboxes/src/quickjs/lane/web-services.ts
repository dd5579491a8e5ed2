import { urlFields } from '../url-fields.ts';

/**
 * The parts of the web platform that a lane answers with Node's own, because a second implementation inside the engine
 * would be slower and less complete. All are pure: the same question always has the same answer. Formatting is pinned to one
 * locale and zone. Errors are answered as undefined: their text would name files of ours.
 */
const locale = 'en-US';
const zone = 'UTC';
const maxFormatters = 100;
const formatters = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

/** The URL's fields as JSON, or undefined when it is not a URL. */
export function parseUrl(text: string, base?: string): string | undefined {
  return attempt(() => fieldsOf(new URL(text, base)));
}

export function changeUrl(href: string, field: string, value: string): string | undefined {
  return attempt(() => {
    const url = new URL(href);
    if (field !== 'origin' && urlFields.includes(field as never)) Reflect.set(url, field, value);
    return fieldsOf(url);
  });
}

export function parseQuery(text: string): string {
  return JSON.stringify([...new URLSearchParams(text)]);
}

export function formatQuery(pairs: string): string | undefined {
  return attempt(() => new URLSearchParams(JSON.parse(pairs)).toString());
}

/** `question` is `{ locales?, options, parts?, resolved? }`; the value is decimal digits, so that bigints keep theirs. */
export function formatNumber(question: string, value: string): string | undefined {
  return attempt(() => {
    const { locales = locale, options, parts, resolved } = JSON.parse(question);
    const key = `n${JSON.stringify([locales, options])}`;
    const format = formatter(key, () => new Intl.NumberFormat(locales, options));
    if (!(format instanceof Intl.NumberFormat)) return undefined;
    if (resolved) return JSON.stringify(format.resolvedOptions());
    const number = /^-?\d+$/.test(value) ? BigInt(value) : Number(value);
    return parts ? JSON.stringify(format.formatToParts(number)) : format.format(number);
  });
}

export function formatDate(question: string, at: number | undefined): string | undefined {
  return attempt(() => {
    const { locales = locale, options, parts, resolved } = JSON.parse(question);
    const pinned = { timeZone: zone, ...options };
    const key = `d${JSON.stringify([locales, pinned])}`;
    const format = formatter(key, () => new Intl.DateTimeFormat(locales, pinned));
    if (!(format instanceof Intl.DateTimeFormat)) return undefined;
    if (resolved) return JSON.stringify(format.resolvedOptions());
    return parts ? JSON.stringify(format.formatToParts(at)) : format.format(at);
  });
}

/** Bytes come as a string of one character per byte. Answers `=` and the text, or nothing for a wrong label or bytes. */
export function decodeText(label: string, binary: string, options: string): string | undefined {
  return attempt(
    () => `=${new TextDecoder(label, JSON.parse(options)).decode(Buffer.from(binary, 'latin1'))}`,
  );
}

function fieldsOf(url: URL): string {
  return JSON.stringify(Object.fromEntries(urlFields.map((field) => [field, url[field]])));
}

function formatter(key: string, create: () => Intl.NumberFormat | Intl.DateTimeFormat) {
  const known = formatters.get(key);
  if (known) return known;
  if (formatters.size >= maxFormatters) formatters.clear();
  const created = create();
  formatters.set(key, created);
  return created;
}

function attempt(answer: () => string | undefined): string | undefined {
  try {
    return answer();
  } catch {
    return undefined;
  }
}
