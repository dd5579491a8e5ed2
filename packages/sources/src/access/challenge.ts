/** One challenge of a `WWW-Authenticate` header (RFC 9110). */
export interface Challenge {
  /** In lower case. */
  scheme: string;
  parameters: Record<string, string>;
}

const maxChars = 8_000;

/** One of: a parameter with its quoted or plain value, or the name of a scheme. No alternative can match the same text as another. */
const token = /([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]*)))?/gy;

export function challengesIn(header: string | string[] | undefined): Challenge[] {
  const text = [header ?? []].flat().join(', ').slice(0, maxChars);
  const challenges: Challenge[] = [];
  for (let at = 0; at < text.length; ) {
    token.lastIndex = at;
    const match = token.exec(text);
    if (match === null) {
      at += 1;
      continue;
    }
    at = token.lastIndex;
    const [, name = '', quoted, plain] = match;
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain;
    if (value === undefined) challenges.push({ scheme: name.toLowerCase(), parameters: {} });
    else Object.assign(challenges.at(-1)?.parameters ?? {}, { [name.toLowerCase()]: value });
  }
  return challenges;
}
