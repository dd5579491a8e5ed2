import { type TextPart, textParts } from '@executor/protocol';
import { useState } from 'react';
import { Button } from './button.tsx';
import { groupParts, sizeOf } from './revealed-parts.ts';

/** The default length to fold at. It is less than a box holds, so that the total size is visible. */
const defaultFold = 1_000;

/**
 * Untrusted text, shown completely: invisible and reversing characters are spelled out, and the text cannot affect what is around it. Long
 * text is folded, with its size.
 */
export function Revealed({ text, foldAt = defaultFold }: { text: string; foldAt?: number }) {
  const [open, setOpen] = useState(false);
  // Slightly longer texts are shown in full, to save a click.
  const isLong = text.length > foldAt * 1.2;
  const shown = isLong && !open ? text.slice(0, foldAt) : text;
  return (
    <>
      <bdi dir="ltr">
        <Parts parts={textParts(shown)} />
      </bdi>
      {isLong && (
        <>
          {!open && '… '}
          <Button
            look="quiet"
            className="mx-1 min-h-7 font-sans text-xs underline"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {open ? 'Show less' : `Show all ${sizeOf(text)}`}
          </Button>
        </>
      )}
    </>
  );
}

function Parts({ parts }: { parts: TextPart[] }) {
  return groupParts(parts).map((part, index) =>
    part.type === 'plain' ? (
      part.text
    ) : (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change order
        key={index}
        title={part.title}
        className="mx-px whitespace-nowrap rounded border border-warn bg-warn-soft px-0.5 font-mono text-[0.85em] text-warn"
      >
        {part.label}
      </span>
    ),
  );
}
