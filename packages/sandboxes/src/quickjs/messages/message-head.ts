/**
 * The head of a message: `type, run, number, number, text`, separated by tabs. A tool call takes four messages, and encoding them is most
 * of its cost. Plain numbers need no JSON parser. The text is last because it may contain anything.
 */
export interface Head {
  type: string;
  run: number;
  first: number;
  second: number;
  text: string;
}

export function encodeHead(type: string, run: number, first = 0, second = 0, text = ''): string {
  return `${type}\t${run}\t${first}\t${second}\t${text}`;
}

/** Throws unless there are five fields. An invalid number becomes NaN, which the caller must check. */
export function parseHead(head: string): Head {
  const type = head.indexOf('\t');
  const run = head.indexOf('\t', type + 1);
  const first = head.indexOf('\t', run + 1);
  const second = head.indexOf('\t', first + 1);
  if (type < 0 || run <= type || first <= run || second <= first)
    throw new TypeError('A message has five fields.');
  return {
    type: head.slice(0, type),
    run: Number(head.slice(type + 1, run)),
    first: Number(head.slice(run + 1, first)),
    second: Number(head.slice(first + 1, second)),
    text: head.slice(second + 1),
  };
}
