/** Where a value of the code came from: the result of a tool, and the fields from there. `[]` is an item of a list. */
export interface Origin {
  path: string;
  members: string[];
}

const maxSteps = 4;
const identifier = String.raw`[A-Za-z_$][\w$]*`;
const chain = String.raw`((?:\s{0,40}[?!]?\.\s{0,40}${identifier}){0,12})`;
const loops = 'map|filter|forEach|find|some|every|flatMap|reduce|sort|findIndex';

/**
 * Finds the call whose result a variable holds, by the text of the code. It knows the usual forms: an awaited call, destructuring, an
 * alias, and the item of a loop. Undefined for anything else.
 */
export function originOf(name: string, code: string, steps = maxSteps): Origin | undefined {
  if (steps === 0) return undefined;
  const own = escaped(name);
  const called = find(
    code,
    String.raw`(?<![\w$.])${own}\s{0,40}(?::[^=;\n]{1,100})?=\s{0,40}\(?\s{0,40}await\s{1,40}tools\.([\w$.]+)\s{0,40}\(`,
  );
  if (called?.[1]) return { path: called[1], members: [] };
  const taken = find(
    code,
    String.raw`\{([^{}=]{0,200})\}\s{0,40}(?::[^=;\n]{1,100})?=\s{0,40}\(?\s{0,40}await\s{1,40}tools\.([\w$.]+)\s{0,40}\(`,
    (match) => fieldNamed(match[1], name) !== undefined,
  );
  if (taken?.[2]) return { path: taken[2], members: [fieldNamed(taken[1], name) ?? name] };
  const looped =
    find(code, String.raw`\bof\s{1,40}(${identifier})${chain}\s{0,40}\)`, (match) =>
      new RegExp(String.raw`(?:const|let|var)\s{1,40}${own}\s{1,40}$`).test(
        code.slice(0, match.index).slice(-120),
      ),
    ) ??
    find(
      code,
      String.raw`(?<![\w$.])(${identifier})${chain}\s{0,40}\.\s{0,40}(?:${loops})\(\s{0,40}(?:async\s{0,40})?\(?\s{0,40}${own}(?![\w$])`,
    );
  if (looped?.[1]) return below(looped[1], [...membersOf(looped[2]), '[]'], code, steps);
  const alias = find(
    code,
    String.raw`(?<![\w$.])${own}\s{0,40}(?::[^=;\n]{1,100})?=\s{0,40}(${identifier})${chain}\s{0,40}(?:[;\n]|\|\||\?\?|$)`,
  );
  if (alias?.[1] && alias[1] !== name) return below(alias[1], membersOf(alias[2]), code, steps);
  return undefined;
}

function below(name: string, members: string[], code: string, steps: number): Origin | undefined {
  const origin = originOf(name, code, steps - 1);
  return origin && { path: origin.path, members: [...origin.members, ...members] };
}

/** `.data.items` as names. */
export function membersOf(text = ''): string[] {
  return text.match(new RegExp(identifier, 'g')) ?? [];
}

/** The field that destructuring puts into a variable. */
function fieldNamed(fields = '', name: string): string | undefined {
  for (const part of fields.split(',')) {
    const [field = '', renamed = field] = part.split(':').map((one) => one.trim());
    if (renamed === name) return field;
  }
  return undefined;
}

/** The last match before the end of the code. */
function find(
  code: string,
  pattern: string,
  isRight: (match: RegExpMatchArray) => boolean = () => true,
): RegExpMatchArray | undefined {
  return [...code.matchAll(new RegExp(pattern, 'gm'))].findLast(isRight);
}

function escaped(name: string): string {
  return name.replaceAll('$', String.raw`\$`);
}
