import { defineGlobals, host, parse } from './host.ts';
import { SandboxURLSearchParams } from './url-search-params.ts';

interface Fields {
  href: string;
  origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  hash: string;
}

/** The host parses; here is only the object, and the link between a URL and its parameters. */
class SandboxURL {
  #fields: Fields;
  #params: SandboxURLSearchParams | undefined;

  constructor(text: unknown, base?: unknown) {
    const fields = host.parseUrl(String(text), base === undefined ? undefined : String(base));
    if (fields === undefined) throw new TypeError(`Invalid URL: ${String(text)}`);
    this.#fields = parse(fields);
  }

  static canParse(text: unknown, base?: unknown): boolean {
    return host.parseUrl(String(text), base === undefined ? undefined : String(base)) !== undefined;
  }

  static parse(text: unknown, base?: unknown): SandboxURL | null {
    return SandboxURL.canParse(text, base) ? new SandboxURL(text, base) : null;
  }

  get searchParams(): SandboxURLSearchParams {
    this.#params ??= new SandboxURLSearchParams(this.#fields.search).linkTo((query) =>
      this.#change('search', query),
    );
    return this.#params;
  }

  toString(): string {
    return this.#fields.href;
  }

  toJSON(): string {
    return this.#fields.href;
  }

  read(field: keyof Fields): string {
    return this.#fields[field];
  }

  write(field: keyof Fields, value: unknown): void {
    this.#change(field, String(value));
    if (field === 'search' || field === 'href') this.#params?.replace(this.#fields.search);
  }

  #change(field: keyof Fields, value: string): void {
    const target = field === 'href' ? host.parseUrl(value) : host.changeUrl(this.#fields.href, field, value);
    if (target === undefined) throw new TypeError(`Invalid URL: ${value}`);
    this.#fields = parse(target);
  }
}

const { read, write } = SandboxURL.prototype;
Reflect.deleteProperty(SandboxURL.prototype, 'read');
Reflect.deleteProperty(SandboxURL.prototype, 'write');
const writable = [
  'href',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;
for (const field of [...writable, 'origin'] as const) {
  Object.defineProperty(SandboxURL.prototype, field, {
    get(this: SandboxURL) {
      return read.call(this, field);
    },
    ...(field !== 'origin' && {
      set(this: SandboxURL, value: unknown) {
        write.call(this, field, value);
      },
    }),
    enumerable: true,
    configurable: true,
  });
}
Object.defineProperty(SandboxURL, 'name', { value: 'URL' });
Object.defineProperty(SandboxURLSearchParams, 'name', { value: 'URLSearchParams' });

defineGlobals({ URL: SandboxURL, URLSearchParams: SandboxURLSearchParams });
