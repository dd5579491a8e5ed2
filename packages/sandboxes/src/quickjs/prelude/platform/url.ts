import { maxTextBytes, urlFields } from '../contract.ts';
import { defineGlobals, host, parse } from '../host.ts';
import { linkQuery, replaceQuery, SandboxURLSearchParams } from './url-search-params.ts';

type Fields = Record<(typeof urlFields)[number], string>;

/** The host parses URLs. This file has the object, and the link between a URL and its parameters. */
class SandboxURL {
  #fields: Fields;
  #params: SandboxURLSearchParams | undefined;

  constructor(text: unknown, base?: unknown) {
    const fields = host.parseUrl(String(text), base === undefined ? undefined : String(base));
    if (fields === undefined) throw invalid(String(text));
    this.#fields = parse(fields);
  }

  static canParse(text: unknown, base?: unknown): boolean {
    return host.parseUrl(String(text), base === undefined ? undefined : String(base)) !== undefined;
  }

  static parse(text: unknown, base?: unknown): SandboxURL | null {
    return SandboxURL.canParse(text, base) ? new SandboxURL(text, base) : null;
  }

  get searchParams(): SandboxURLSearchParams {
    if (!this.#params) {
      this.#params = new SandboxURLSearchParams(this.#fields.search);
      linkQuery(this.#params, (query) => this.#change('search', query));
    }
    return this.#params;
  }

  toString(): string {
    return this.#fields.href;
  }

  toJSON(): string {
    return this.#fields.href;
  }

  #change(field: keyof Fields, value: string): void {
    const fields = field === 'href' ? host.parseUrl(value) : host.changeUrl(this.#fields.href, field, value);
    if (fields === undefined) throw invalid(value);
    this.#fields = parse(fields);
  }

  static {
    for (const field of urlFields) {
      Object.defineProperty(SandboxURL.prototype, field, {
        get(this: SandboxURL) {
          return this.#fields[field];
        },
        set(this: SandboxURL, value: unknown) {
          if (field === 'origin') return;
          this.#change(field, String(value));
          if (this.#params && (field === 'search' || field === 'href'))
            replaceQuery(this.#params, this.#fields.search);
        },
        enumerable: true,
        configurable: true,
      });
    }
  }
}

function invalid(text: string): TypeError {
  const maxLength = 200;
  if (text.length > maxTextBytes / 4)
    return new TypeError(
      `A URL of ${text.length} characters is too long; ${maxTextBytes} bytes are allowed.`,
    );
  return new TypeError(`Invalid URL: ${text.length > maxLength ? `${text.slice(0, maxLength)}…` : text}`);
}

defineGlobals({ URL: SandboxURL, URLSearchParams: SandboxURLSearchParams });
