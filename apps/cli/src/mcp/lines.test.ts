import { expect, test } from 'vitest';
import { linesOf } from './lines.ts';

async function lines(...pieces: (string | number[])[]): Promise<string[]> {
  const input = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece)));
  const found: string[] = [];
  for await (const line of linesOf(
    (async function* () {
      yield* input;
    })(),
  ))
    found.push(line);
  return found;
}

test('Only a line feed ends a line, wherever the chunks end', async () => {
  const message = JSON.stringify({ text: 'a\u2028b\u2029c\u0085d\u000be\rf' });
  expect(await lines(`${message}\n`, `${message}\n${message}`)).toEqual([message, message, message]);
  const bytes = [...Buffer.from(`"é\u{1f600}"\n"x"\n`)];
  expect(await lines(...bytes.map((byte) => [byte]))).toEqual(['"é\u{1f600}"', '"x"']);
  expect(await lines('\n\nlast')).toEqual(['', '', 'last']);
  expect(await lines()).toEqual([]);
});
