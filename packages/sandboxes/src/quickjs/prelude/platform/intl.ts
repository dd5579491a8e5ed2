import { defineGlobals, defineHidden, host, NativeDate, parse, stringify } from '../host.ts';
import { Collator, type Locales, type Options, PluralRules } from './intl-text.ts';

/** The host formats. The default locale is English (United States) and the default zone is UTC, on every server. */
class NumberFormat {
  readonly #question: { locales: Locales; options: Options };
  #format: ((value: unknown) => string) | undefined;

  constructor(locales?: Locales, options: Options = {}) {
    this.#question = { locales, options };
    this.resolvedOptions();
  }

  /** Bound, so that it can be passed to `map`. */
  get format(): (value: unknown) => string {
    this.#format ??= (value) => answer(host.formatNumber(stringify(this.#question), digits(value)));
    return this.#format;
  }

  formatToParts(value: unknown): unknown {
    return parse(answer(host.formatNumber(stringify({ ...this.#question, parts: true }), digits(value))));
  }

  resolvedOptions(): unknown {
    return parse(answer(host.formatNumber(stringify({ ...this.#question, resolved: true }), '0')));
  }
}

class DateTimeFormat {
  readonly #question: { locales: Locales; options: Options };
  #format: ((value?: unknown) => string) | undefined;

  constructor(locales?: Locales, options: Options = {}) {
    this.#question = { locales, options };
    this.resolvedOptions();
  }

  get format(): (value?: unknown) => string {
    this.#format ??= (value) => answer(host.formatDate(stringify(this.#question), instant(value)));
    return this.#format;
  }

  formatToParts(value?: unknown): unknown {
    return parse(answer(host.formatDate(stringify({ ...this.#question, parts: true }), instant(value))));
  }

  resolvedOptions(): unknown {
    return parse(answer(host.formatDate(stringify({ ...this.#question, resolved: true }), 0)));
  }
}

type Class = new (locales?: Locales, options?: Options) => object;

/** Formatters may be called without `new`, as in other engines. */
function callable(name: string, Type: Class): Class {
  const supportedLocalesOf = (locales: string | string[] = []) =>
    [locales].flat().filter((locale) => {
      try {
        return Boolean(new Type(locale));
      } catch {
        return false;
      }
    });
  for (const method of ['formatRange', 'formatRangeToParts', 'selectRange']) {
    defineHidden(Type.prototype, { [method]: () => missing(`${name}.${method}`) });
  }
  defineHidden(Type, { supportedLocalesOf, name });
  return new Proxy(Type, { apply: (target, _self, [locales, options]) => new target(locales, options) });
}

function missing(name: string): never {
  throw new TypeError(
    `Intl.${name} is not available in the sandbox: use NumberFormat, DateTimeFormat, Collator or PluralRules, or a text of your own.`,
  );
}

const names = ['DisplayNames', 'DurationFormat', 'ListFormat', 'Locale', 'RelativeTimeFormat', 'Segmenter'];
const intl: Record<string, unknown> = {};
for (const [name, Type] of Object.entries({ NumberFormat, DateTimeFormat, Collator, PluralRules }))
  intl[name] = callable(name, Type as Class);
for (const name of names)
  intl[name] = function unavailable() {
    missing(name);
  };
defineGlobals({ Intl: intl });

function toLocaleNumber(this: unknown, locales?: Locales, options?: Options): string {
  return new NumberFormat(locales, options).format(this);
}
defineHidden(Number.prototype, { toLocaleString: toLocaleNumber });
defineHidden(BigInt.prototype, { toLocaleString: toLocaleNumber });

const day = { year: 'numeric', month: 'numeric', day: 'numeric' };
const time = { hour: 'numeric', minute: 'numeric', second: 'numeric' };
const dayFields = ['weekday', 'year', 'month', 'day', 'dateStyle'];
const timeFields = ['hour', 'minute', 'second', 'dayPeriod', 'fractionalSecondDigits', 'timeStyle'];
defineHidden(NativeDate.prototype, {
  toLocaleString: localeDate({ ...day, ...time }, [...dayFields, ...timeFields]),
  toLocaleDateString: localeDate(day, dayFields),
  toLocaleTimeString: localeDate(time, timeFields),
});

/** The fields that are shown by default. */
function localeDate(fields: Options, chosenBy: string[]) {
  return function toLocaleDate(this: Date, locales?: Locales, options: Options = {}): string {
    if (Number.isNaN(this.getTime())) return 'Invalid Date';
    const chosen = chosenBy.some((field) => options[field] !== undefined);
    return new DateTimeFormat(locales, chosen ? options : { ...fields, ...options }).format(this);
  };
}

function digits(value: unknown): string {
  return typeof value === 'bigint' ? value.toString() : String(Number(value));
}

function instant(value: unknown): number {
  const at = value === undefined ? NativeDate.now() : Number(value);
  if (Number.isNaN(at)) throw new RangeError('Invalid time value');
  return at;
}

function answer(text: string | undefined): string {
  if (text === undefined)
    throw new RangeError('Intl does not know this locale, zone or combination of options.');
  return text;
}
