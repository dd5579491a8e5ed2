/**
 * Removes secrets from JSON text without building its value. Strings must have their shortest form, so that each secret has one form in
 * them. `clean` replaces the secrets in the text of one string.
 */
export function scrubJson(json: string, secrets: string[], clean: (text: string) => string): string {
  const matches = secrets.map((secret) => new Matches(json, JSON.stringify(secret).slice(1, -1)));
  if (matches.every(({ at }) => at < 0)) return json;
  const isIn = (from: number, to: number) => matches.some((match) => match.isIn(from, to));
  const parts: string[] = [];
  for (let at = 0; at < json.length; ) {
    const quote = json.indexOf('"', at);
    const start = quote < 0 ? json.length : quote;
    const end = quote < 0 ? start : endOfString(json, start);
    if (isIn(at, start)) parts.push(scrubNumbers(json.slice(at, start), secrets, clean));
    else parts.push(json.slice(at, start));
    if (start < end)
      parts.push(isIn(start, end) ? scrubString(json.slice(start, end), clean) : json.slice(start, end));
    at = end;
  }
  return parts.join('');
}

/** The positions of one text. They are asked for in ascending order. */
class Matches {
  at: number;
  readonly #json: string;
  readonly #text: string;

  constructor(json: string, text: string) {
    this.#json = json;
    this.#text = text;
    this.at = json.indexOf(text);
  }

  isIn(from: number, to: number): boolean {
    while (this.at >= 0 && this.at < from) this.at = this.#json.indexOf(this.#text, from);
    return this.at >= 0 && this.at < to;
  }
}

function scrubString(token: string, clean: (text: string) => string): string {
  return JSON.stringify(clean(JSON.parse(token)));
}

/** A number is a secret only as a whole. */
function scrubNumbers(text: string, secrets: string[], clean: (text: string) => string): string {
  return text.replace(/-?\d[\d.eE+-]*/g, (number) =>
    secrets.includes(number) ? JSON.stringify(clean(number)) : number,
  );
}

function endOfString(json: string, quote: number): number {
  for (let end = json.indexOf('"', quote + 1); ; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
}
