import { defineGlobals, defineHidden, host, NativeDate, parse, stringify } from './host.ts';

/** Formatting by the host. Without a locale it is English (United States), without a zone UTC, wherever the server stands. */
type Locales = string | string[] | undefined;
type Options = Record<string, unknown>;

class NumberFormat {
  readonly #question: { locales: Locales; options: Options };

  constructor(locales?: Locales, options: Options = {}) {
    this.#question = { locales, options };
    this.resolvedOptions();
  }

  format(value: unknown): string {
    return answer(host.formatNumber(stringify(this.#question), digits(value)));
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

  constructor(locales?: Locales, options: Options = {}) {
    this.#question = { locales, options };
    this.resolvedOptions();
  }

  format(value?: unknown): string {
    return answer(host.formatDate(stringify(this.#question), instant(value)));
  }

  formatToParts(value?: unknown): unknown {
    return parse(answer(host.formatDate(stringify({ ...this.#question, parts: true }), instant(value))));
  }

  resolvedOptions(): unknown {
    return parse(answer(host.formatDate(stringify({ ...this.#question, resolved: true }), 0)));
  }
}

defineGlobals({ Intl: { NumberFormat, DateTimeFormat } });

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

/** The fields that are shown when the options name none of their own. */
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
