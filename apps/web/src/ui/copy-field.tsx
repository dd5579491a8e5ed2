import { useId, useRef, useState } from 'react';
import { Button } from './button.tsx';

const charactersPerRow = 32;

/** Text with a copy button. If the browser offers no clipboard (pages from other machines), the button selects the text. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const id = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'selected'>('none');

  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
      setOutcome('copied');
    } catch {
      input.current?.select();
      setOutcome('selected');
    }
  }

  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex gap-2">
        <textarea
          id={id}
          ref={input}
          readOnly
          rows={Math.ceil(value.length / charactersPerRow)}
          value={value}
          onFocus={(event) => event.target.select()}
          className="w-full min-w-0 resize-none rounded-lg border border-line bg-sunken px-3 py-2 font-mono text-sm leading-5 break-all"
        />
        <Button onClick={copy} aria-label={`Copy: ${label}`} className="w-20">
          {outcome === 'copied' ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <p role="status" className="text-xs text-muted empty:hidden">
        {outcome === 'selected' ? 'Selected: copy it with Ctrl+C or ⌘C.' : ''}
      </p>
    </div>
  );
}
