import { urlFields } from '../prelude/contract.ts';

/**
 * The parts of the web platform that the lane provides with Node's own implementation, because a second one inside the engine would be
 * slower and less complete. All functions are pure. Formatting uses one fixed locale and zone. Errors, and texts that are missing or too
 * long, give undefined: an error's text could name our files.
 */
type Text = string | undefined;

const locale = 'en-US';
const zone = 'UTC';
const maxFormatters = 100;
type Formatter = Intl.NumberFormat | Intl.DateTimeFormat | Intl.Collator | Intl.PluralRules;
const formatters = new Map<string, Formatter>();

/** The URL's fields as JSON, or undefined if the text is not a URL. */
export function parseUrl(text: Text, base?: string): string | undefined {
  return attempt(() => (text === undefined ? undefined : fieldsOf(new URL(text, base))));
}

export function changeUrl(href: Text, field: Text, value: Text): string | undefined {
  return attempt(() => {
    if (href === undefined || field === undefined || value === undefined) return undefined;
    const url = new URL(href);
    if (field !== 'origin' && urlFields.includes(field as never)) Reflect.set(url, field, value);
    return fieldsOf(url);
  });
}

export function parseQuery(text: Text): string | undefined {
  return text === undefined ? undefined : JSON.stringify([...new URLSearchParams(text)]);
}

export function formatQuery(pairs: Text): string | undefined {
  return attempt(() => new URLSearchParams(JSON.parse(pairs ?? '')).toString());
}

/** `question` is `{ locales?, options, parts?, resolved? }`. The value is a string of digits, so that bigints are exact. */
export function formatNumber(question: Text, value: Text): string | undefined {
  return attempt(() => {
    if (value === undefined) return undefined;
    const { locales = locale, options, parts, resolved } = JSON.parse(question ?? '');
    const key = `n${JSON.stringify([locales, options])}`;
    const format = formatter(key, () => new Intl.NumberFormat(locales, options));
    if (!(format instanceof Intl.NumberFormat)) return undefined;
    if (resolved) return JSON.stringify(format.resolvedOptions());
    const number = /^-?\d+$/.test(value) ? BigInt(value) : Number(value);
    return parts ? JSON.stringify(format.formatToParts(number)) : format.format(number);
  });
}

export function formatDate(question: Text, at: number | undefined): string | undefined {
  return attempt(() => {
    const { locales = locale, options, parts, resolved } = JSON.parse(question ?? '');
    const pinned = { timeZone: zone, ...options };
    const key = `d${JSON.stringify([locales, pinned])}`;
    const format = formatter(key, () => new Intl.DateTimeFormat(locales, pinned));
    if (!(format instanceof Intl.DateTimeFormat)) return undefined;
    if (resolved) return JSON.stringify(format.resolvedOptions());
    return parts ? JSON.stringify(format.formatToParts(at)) : format.format(at);
  });
}

export function compareTexts(question: Text, a: Text, b: Text): number | undefined {
  return attempt(() => {
    if (a === undefined || b === undefined) return undefined;
    const { locales = locale, options } = JSON.parse(question ?? '');
    const key = `c${JSON.stringify([locales, options])}`;
    const collator = formatter(key, () => new Intl.Collator(locales, options));
    return collator instanceof Intl.Collator ? collator.compare(a, b) : undefined;
  });
}

export function pluralForm(question: Text, value: number | undefined): string | undefined {
  return attempt(() => {
    const { locales = locale, options } = JSON.parse(question ?? '');
    const rules = formatter(
      `p${JSON.stringify([locales, options])}`,
      () => new Intl.PluralRules(locales, options),
    );
    return rules instanceof Intl.PluralRules ? rules.select(value ?? Number.NaN) : undefined;
  });
}

export function encodeText(text: Text): Uint8Array | undefined {
  return text === undefined ? undefined : Buffer.from(text, 'utf8');
}

/**
 * `binary` has one character per byte. Returns the encoding's name, `=` and the text. Returns undefined for an unknown label or invalid
 * bytes.
 */
export function decodeText(label: Text, binary: Text, options: Text): string | undefined {
  return attempt(() => {
    if (binary === undefined) return undefined;
    const decoder = new TextDecoder(label, JSON.parse(options ?? ''));
    return `${decoder.encoding}=${decoder.decode(Buffer.from(binary, 'latin1'))}`;
  });
}

function fieldsOf(url: URL): string {
  return JSON.stringify(Object.fromEntries(urlFields.map((field) => [field, url[field]])));
}

function formatter(key: string, create: () => Formatter): Formatter {
  const cached = formatters.get(key);
  if (cached) return cached;
  if (formatters.size >= maxFormatters) formatters.clear();
  const created = create();
  formatters.set(key, created);
  return created;
}

function attempt<Answer>(answer: () => Answer | undefined): Answer | undefined {
  try {
    return answer();
  } catch {
    return undefined;
  }
}
