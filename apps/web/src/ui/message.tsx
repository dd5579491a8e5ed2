import { printable } from '@executor/protocol';

/** A sentence as the server or the command line words it, with what is between backticks set as code. */
export function Message({ text }: { text: string }) {
  return printable(text)
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
        <code key={index} className="font-mono">
          {part}
        </code>
      ) : (
        part
      ),
    );
}
