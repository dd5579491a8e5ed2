import { printable } from '@executor/protocol';

/** A message of the server or the command line. Text between backticks is shown as code. */
export function Message({ text }: { text: string }) {
  return printable(text)
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change order
        <code key={index} className="font-mono">
          {part}
        </code>
      ) : (
        part
      ),
    );
}
