import { host, parse, stringify } from './host.ts';

type Pair = [name: string, value: string];

export class SandboxURLSearchParams {
  #pairs: Pair[] = [];
  #changed: (query: string) => void = () => {};

  constructor(init: unknown = '') {
    this.#pairs = pairsOf(init);
  }

  /** Tells a URL of every change. */
  linkTo(changed: (query: string) => void): this {
    this.#changed = changed;
    return this;
  }

  /** Takes over what a URL was changed to. */
  replace(query: string): void {
    this.#pairs = pairsOf(query);
  }

  get size(): number {
    return this.#pairs.length;
  }

  append(name: unknown, value: unknown): void {
    this.#update([...this.#pairs, [String(name), String(value)]]);
  }

  delete(name: unknown, value?: unknown): void {
    this.#update(this.#pairs.filter((pair) => !matches(pair, name, value)));
  }

  get(name: unknown): string | null {
    return this.#pairs.find((pair) => matches(pair, name))?.[1] ?? null;
  }

  getAll(name: unknown): string[] {
    return this.#pairs.filter((pair) => matches(pair, name)).map(([, value]) => value);
  }

  has(name: unknown, value?: unknown): boolean {
    return this.#pairs.some((pair) => matches(pair, name, value));
  }

  set(name: unknown, value: unknown): void {
    const position = this.#pairs.findIndex((pair) => matches(pair, name));
    const rest = this.#pairs.filter((pair) => !matches(pair, name));
    rest.splice(position < 0 ? rest.length : position, 0, [String(name), String(value)]);
    this.#update(rest);
  }

  sort(): void {
    this.#update([...this.#pairs].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  }

  forEach(callback: (value: string, name: string, params: SandboxURLSearchParams) => void): void {
    for (const [name, value] of this.#pairs) callback(value, name, this);
  }

  *keys(): Generator<string> {
    for (const [name] of this.#pairs) yield name;
  }

  *values(): Generator<string> {
    for (const [, value] of this.#pairs) yield value;
  }

  *entries(): Generator<Pair> {
    for (const [name, value] of this.#pairs) yield [name, value];
  }

  [Symbol.iterator](): Generator<Pair> {
    return this.entries();
  }

  toString(): string {
    return host.formatQuery(stringify(this.#pairs));
  }

  toJSON(): string {
    return this.toString();
  }

  #update(pairs: Pair[]): void {
    this.#pairs = pairs;
    this.#changed(this.toString());
  }
}

function pairsOf(init: unknown): Pair[] {
  if (init instanceof SandboxURLSearchParams) return [...init.entries()];
  if (typeof init !== 'object' || init === null) return parse(host.parseQuery(String(init)));
  const iterable = Symbol.iterator in init ? (init as Iterable<[unknown, unknown]>) : Object.entries(init);
  return Array.from(iterable, (pair) => {
    const [name, value, ...more] = [...pair];
    if (value === undefined || more.length > 0)
      throw new TypeError('URLSearchParams takes pairs of a name and a value.');
    return [String(name), String(value)];
  });
}

function matches([name, value]: Pair, wanted: unknown, wantedValue?: unknown): boolean {
  return name === String(wanted) && (wantedValue === undefined || value === String(wantedValue));
}
