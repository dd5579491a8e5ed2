/** A text that matches a regular expression. Undefined for expressions that are too complex for this sampler. */
export function samplePattern(pattern: string, length: number): string | undefined {
  try {
    const sampler = new Sampler(pattern, length);
    const text = sampler.alternatives();
    return sampler.done && new RegExp(pattern).test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

class Sampler {
  #at = 0;
  readonly #pattern: string;
  readonly #length: number;

  constructor(pattern: string, length: number) {
    this.#pattern = pattern;
    this.#length = length;
  }

  get done(): boolean {
    return this.#at >= this.#pattern.length;
  }

  alternatives(): string {
    const first = this.#sequence();
    while (this.#take('|')) this.#sequence();
    return first;
  }

  #sequence(): string {
    let text = '';
    while (!this.done && !'|)'.includes(this.#peek())) text += this.#repeated();
    return text;
  }

  #repeated(): string {
    const start = this.#at;
    const first = this.#atom();
    const [min, max] = this.#quantifier();
    const wanted = Math.min(Math.max(min, Math.min(this.#length, max), 0), max);
    const end = this.#at;
    let text = '';
    for (let count = 0; count < (min === max ? min : Math.max(min, Math.min(wanted, 200))); count++) {
      this.#at = start;
      text += count === 0 ? first : this.#atom();
    }
    this.#at = end;
    return text;
  }

  #quantifier(): [number, number] {
    const [min, max] = this.#bounds();
    this.#take('?');
    return [min, max];
  }

  #bounds(): [number, number] {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.#take('?')) return [0, 1];
    const match = /^\{(\d+)(,(\d*))?\}/.exec(this.#pattern.slice(this.#at));
    if (!match) return [1, 1];
    this.#at += match[0].length;
    const min = Number(match[1]);
    return [min, match[2] === undefined ? min : match[3] ? Number(match[3]) : Number.POSITIVE_INFINITY];
  }

  #atom(): string {
    const character = this.#next();
    if (character === '^' || character === '$') return '';
    if (character === '.') return 'a';
    if (character === '[') return this.#class();
    if (character === '\\') return this.#escape();
    if (character !== '(') return character;
    const group = /^\?(:|=|!|<=|<!|<\w+>)/.exec(this.#pattern.slice(this.#at));
    if (group) this.#at += group[0].length;
    const text = this.alternatives();
    if (!this.#take(')')) throw new RangeError('a group does not end');
    return group && /[=!]/.test(group[0]) ? '' : text;
  }

  #class(): string {
    const end = this.#classEnd();
    const source = this.#pattern.slice(this.#at - 1, end + 1);
    this.#at = end + 1;
    const test = new RegExp(`^${source}$`);
    const candidates = 'a1A0-_. :/@#+,bcdefxyzBC23456789 ~';
    const found = [...candidates].find((candidate) => test.test(candidate));
    if (found === undefined) throw new RangeError('no candidate matches');
    return found;
  }

  #classEnd(): number {
    for (let at = this.#at; at < this.#pattern.length; at++) {
      if (this.#pattern[at] === '\\') at++;
      else if (this.#pattern[at] === ']' && at > this.#at) return at;
    }
    throw new RangeError('a class does not end');
  }

  #escape(): string {
    const character = this.#next();
    const known: Record<string, string> = {
      d: '1',
      w: 'a',
      s: ' ',
      S: 'a',
      D: 'a',
      W: '-',
      b: '',
      B: '',
      t: '\t',
      n: '\n',
    };
    if (character === 'p') {
      this.#at = this.#pattern.indexOf('}', this.#at) + 1;
      return 'A';
    }
    return known[character] ?? character;
  }

  #peek(): string {
    return this.#pattern[this.#at] ?? '';
  }

  #next(): string {
    return this.#pattern[this.#at++] ?? '';
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at++;
    return true;
  }
}
