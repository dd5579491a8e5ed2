import { pieceCharacters } from '../contract.ts';
import { host, parse, stringify } from '../host.ts';

type Pair = [name: string, value: string];

/** Notifies the URL of every change. */
export let linkQuery: (params: SandboxURLSearchParams, changed: (query: string) => void) => void;
/** Applies a change of the URL. */
export let replaceQuery: (params: SandboxURLSearchParams, query: string) => void;

export class SandboxURLSearchParams {
  #pairs: Pair[] = [];
  #changed: ((query: string) => void) | undefined;

  static {
    linkQuery = (params, changed) => {
      params.#changed = changed;
    };
    replaceQuery = (params, query) => {
      params.#pairs = pairsOf(query);
    };
  }

  constructor(init: unknown = '') {
    this.#pairs = pairsOf(init);
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
    const others = this.#pairs.filter((pair) => !matches(pair, name));
    others.splice(position < 0 ? others.length : position, 0, [String(name), String(value)]);
    this.#update(others);
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
    return formatQuery(this.#pairs);
  }

  toJSON(): string {
    return this.toString();
  }

  #update(pairs: Pair[]): void {
    this.#pairs = pairs;
    this.#changed?.(this.toString());
  }
}

function pairsOf(init: unknown): Pair[] {
  if (init instanceof SandboxURLSearchParams) return [...init.entries()];
  if (typeof init !== 'object' || init === null) return parseQuery(String(init));
  const iterable = Symbol.iterator in init ? (init as Iterable<[unknown, unknown]>) : Object.entries(init);
  return Array.from(iterable, (pair) => {
    const parts = [...pair];
    if (parts.length !== 2) throw new TypeError('URLSearchParams takes pairs of a name and a value.');
    return [String(parts[0]), String(parts[1])];
  });
}

function matches([name, value]: Pair, wanted: unknown, wantedValue?: unknown): boolean {
  return name === String(wanted) && (wantedValue === undefined || value === String(wantedValue));
}

/** Formats in pieces that end between two pairs, so that the lane never holds all of them. */
function parseQuery(text: string): Pair[] {
  const query = text[0] === '?' ? text.slice(1) : text;
  const pairs: Pair[] = [];
  for (let at = 0; at < query.length; ) {
    const end = endOfPiece(query, at);
    const piece = host.parseQuery(`?${query.slice(at, end)}`);
    if (piece === undefined) throw tooLong();
    for (const pair of parse(piece)) pairs[pairs.length] = pair;
    at = end + 1;
  }
  return pairs;
}

function endOfPiece(query: string, at: number): number {
  if (query.length - at <= pieceCharacters) return query.length;
  const before = query.lastIndexOf('&', at + pieceCharacters);
  const end = before >= at ? before : query.indexOf('&', at + pieceCharacters);
  return end < 0 ? query.length : end;
}

function formatQuery(pairs: Pair[]): string {
  const pieces: string[] = [];
  const signs = '["",""],'.length;
  let piece: Pair[] = [];
  let size = 0;
  const finish = () => {
    const text = host.formatQuery(stringify(piece));
    if (text === undefined) throw tooLong();
    pieces[pieces.length] = text;
    piece = [];
    size = 0;
  };
  for (const pair of pairs) {
    const more = pair[0].length + pair[1].length + signs;
    if (size > 0 && size + more > pieceCharacters) finish();
    piece[piece.length] = pair;
    size += more;
  }
  if (size > 0) finish();
  return pieces.join('&');
}

function tooLong(): TypeError {
  return new TypeError('A pair of URLSearchParams is too long.');
}
