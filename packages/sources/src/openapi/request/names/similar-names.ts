/**
 * The ways in which the most lenient parsers read a name: without case (ASP.NET), decoded twice, with dots as objects (Spring) or as
 * underscores (PHP), without leading spaces, and cut at NUL (PHP).
 */
export interface Readings {
  plain: string[];
  underscored: string[];
  nested: string[];
}

export function readingsOf(name: string): Readings {
  const simple = simplified(name);
  return {
    plain: segmentsOf(simple),
    underscored: segmentsOf(withUnderscores(simple)),
    nested: segmentsOf(withBrackets(simple)),
  };
}

/** Whether any lenient parser could read two names as the same parameter. */
export function looksLike(one: Readings, other: Readings): boolean {
  return (
    isPrefix(one.plain, other.plain) ||
    isPrefix(one.underscored, other.underscored) ||
    isSame(one.nested, other.nested)
  );
}

/**
 * `a[b][0]` as `a`, `b` and `#`, which stands for any item of a list. PHP, Rails and `qs` read brackets as lists and objects, so `owner[]`,
 * `owner[0]` and `owner[x]` replace `owner`.
 */
export function segmentsOf(name: string): string[] {
  const [, first = name, brackets = ''] = /^([^[]*)((?:\[[^\]]*\])*)/s.exec(name) ?? [];
  const keys = [...brackets.matchAll(/\[([^\]]*)\]/gs)].map(([, key = '']) => key);
  return [first, ...keys.map((key) => (/^\d*$/.test(key) ? '#' : key))];
}

/** Whether one of them is the other or an object or list around it. */
export function isPrefix(one: string[], other: string[]): boolean {
  const length = Math.min(one.length, other.length);
  return isSame(one.slice(0, length), other.slice(0, length));
}

function isSame(one: string[], other: string[]): boolean {
  return one.length === other.length && one.every((segment, index) => segment === other[index]);
}

/** As the most lenient parser reads it. */
export function simplified(name: string): string {
  const [beforeNul = ''] = decodedTwice(name).split('\0');
  return folded(beforeNul.trim());
}

/** Without case. Go also reads `ſ` as `s`, because both have the same capital letter. */
export function folded(name: string): string {
  return name.toUpperCase().toLowerCase();
}

export function decodedTwice(name: string): string {
  let text = name;
  for (let round = 0; round < 2 && text.includes('%'); round++)
    text = text.replace(/(%[0-9a-f]{2})+/gi, (encoded) =>
      Buffer.from(encoded.replaceAll('%', ''), 'hex').toString(),
    );
  return text;
}

/** PHP replaces dots and spaces before the first bracket, and a bracket that is never closed. */
function withUnderscores(name: string): string {
  const open = name.includes(']') ? name : name.replaceAll('[', '_');
  return open.replace(/^[^[]*/, (first) => first.replace(/[.\s]/g, '_'));
}

function withBrackets(name: string): string {
  return name.replace(/\.([^.[\]]+)/g, '[$1]');
}
