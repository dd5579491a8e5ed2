/**
 * The lines of a stream of UTF-8. Only a line feed ends a line, because a message may contain other line separators such as U+2028.
 */
export async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  for await (const bytes of input) {
    const [rest = '', ...following] = decoder.decode(bytes, { stream: true }).split('\n');
    begun.push(rest);
    for (const next of following) {
      yield begun.join('');
      begun = [next];
    }
  }
  const last = begun.join('') + decoder.decode();
  if (last !== '') yield last;
}
