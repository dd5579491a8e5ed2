import { defineHidden, host, stringify } from '../host.ts';

export type Locales = string | string[] | undefined;
export type Options = Record<string, unknown>;

/** The host compares texts and selects plural forms. */
export class Collator {
  readonly #question: string;
  #compare: ((a: unknown, b: unknown) => number) | undefined;

  constructor(locales?: Locales, options: Options = {}) {
    this.#question = stringify({ locales, options });
    compareTexts(this.#question, 'a', 'b');
  }

  /** Bound, so that it can be passed to `sort`. */
  get compare(): (a: unknown, b: unknown) => number {
    this.#compare ??= (a, b) => compareTexts(this.#question, String(a), String(b));
    return this.#compare;
  }
}

export class PluralRules {
  readonly #question: string;

  constructor(locales?: Locales, options: Options = {}) {
    this.#question = stringify({ locales, options });
    this.select(0);
  }

  select(value: unknown): string {
    const form = host.pluralForm(this.#question, Number(value));
    if (form === undefined) throw unknownToIntl();
    return form;
  }
}

const anyLocale = '{}';
const engines = String.prototype.localeCompare;

defineHidden(String.prototype, {
  localeCompare(this: unknown, other: unknown, locales?: Locales, options?: Options): number {
    const question = locales || options ? stringify({ locales, options }) : anyLocale;
    return compareTexts(question, String(this), String(other));
  },
});

/** The engine compares texts by character if they are too long for the host. */
function compareTexts(question: string, a: string, b: string): number {
  if (a === b) return 0;
  const order = host.compareTexts(question, a, b);
  if (order !== undefined) return order;
  if (a.length + b.length > 100_000) return engines.call(a, b);
  throw unknownToIntl();
}

function unknownToIntl(): RangeError {
  return new RangeError('Intl does not know this locale or combination of options.');
}
