import { Fragment, type ReactNode } from 'react';
import { Revealed } from './revealed.tsx';

/** Deeper values are shown on one line, because a hundred levels of indentation do not fit on a phone. */
const maxDepth = 12;

/** A value as indented JSON. Texts with several lines are broken at their line breaks. */
export function JsonView({ value }: { value: unknown }) {
  return (
    <div className="font-mono text-[0.8125rem] leading-5 wrap-anywhere whitespace-pre-wrap">
      <Value value={value} depth={0} />
    </div>
  );
}

function Value({ value, depth }: { value: unknown; depth: number }): ReactNode {
  if (typeof value === 'string') return <Text text={value} />;
  if (typeof value !== 'object' || value === null)
    return <span className="text-accent">{JSON.stringify(value) ?? 'undefined'}</span>;
  if (depth >= maxDepth) return <Revealed text={JSON.stringify(value)} />;
  if (Array.isArray(value)) {
    const items = value.map((item, index) => ({
      key: index,
      node: <Value value={item} depth={depth + 1} />,
    }));
    return <Members open="[" close="]" members={items} />;
  }
  const members = Object.entries(value).map(([name, member], index) => ({
    key: index,
    node: (
      <>
        <span className="font-medium text-ink">
          <Revealed text={JSON.stringify(name)} foldAt={200} />
        </span>
        {': '}
        <Value value={member} depth={depth + 1} />
      </>
    ),
  }));
  return <Members open="{" close="}" members={members} />;
}

interface MembersProps {
  open: string;
  close: string;
  members: { key: number; node: ReactNode }[];
}

function Members({ open, close, members }: MembersProps) {
  if (members.length === 0) return <span className="text-muted">{open + close}</span>;
  return (
    <>
      <span className="text-muted">{open}</span>
      <span className="block border-l border-line pl-3 sm:pl-4">
        {members.map(({ key, node }) => (
          <span key={key} className="block">
            {node}
            {key < members.length - 1 && <span className="text-muted">,</span>}
          </span>
        ))}
      </span>
      <span className="text-muted">{close}</span>
    </>
  );
}

/** Line breaks inside a text are marked with `\n`, so that they cannot be mistaken for those of the JSON. */
function Text({ text }: { text: string }) {
  const lines = JSON.stringify(text).split('\\n');
  // A text with a backslash is not broken, because a literal `\n` would look like a line break.
  if (lines.length === 1 || lines.length > 200 || text.includes('\\') || text.length > 3_000)
    return (
      <span className="text-good">
        <Revealed text={JSON.stringify(text)} />
      </span>
    );
  return (
    <span className="text-good">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text never change order
        <Fragment key={index}>
          <Revealed text={line} />
          {index < lines.length - 1 && (
            <>
              <span className="text-muted">\n</span>
              <br />
            </>
          )}
        </Fragment>
      ))}
    </span>
  );
}
