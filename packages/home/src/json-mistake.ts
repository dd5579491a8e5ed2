/**
 * The position where a text stops being JSON, counted from 1. The message of JSON.parse does not always have a position, and it quotes the
 * text, which may contain a password.
 */
export function findJsonMistake(text: string): { line: number; column: number } {
  const before = text.slice(0, lengthOfJson(text)).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

const space = /[ \t\r\n]*/y;
const string = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;
const scalar = new RegExp(
  `${string.source}|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null`,
  'uy',
);

/** How far the text can be read as JSON. */
function lengthOfJson(text: string): number {
  let at = 0;
  const take = (token: RegExp): boolean => {
    token.lastIndex = at;
    const found = token.test(text);
    if (found) at = token.lastIndex;
    return found;
  };
  const takeNext = (token: RegExp) => take(space) && take(token);
  const takeValue = (): boolean => {
    if (takeNext(/\{/y)) return takeItems(/\}/y, takeMember);
    if (takeNext(/\[/y)) return takeItems(/\]/y, takeValue);
    return take(scalar);
  };
  const takeMember = () => takeNext(string) && takeNext(/:/y) && takeValue();
  const takeItems = (end: RegExp, takeItem: () => boolean): boolean => {
    if (takeNext(end)) return true;
    while (takeItem()) {
      if (takeNext(end)) return true;
      if (!take(/,/y)) return false;
    }
    return false;
  };
  takeValue();
  take(space);
  return at;
}
