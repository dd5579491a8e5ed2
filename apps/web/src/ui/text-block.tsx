import type { ReactNode } from 'react';

/** A box for untrusted text. It scrolls vertically, never sideways. */
export function TextBlock({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
      tabIndex={0}
      className="max-h-[28rem] overflow-x-hidden overflow-y-auto rounded-lg border border-line bg-sunken px-3 py-2.5"
    >
      {children}
    </section>
  );
}

/** Plain text in a TextBlock. */
export function Preformatted({ children }: { children: ReactNode }) {
  return (
    <div className="font-mono text-[0.8125rem] leading-5 wrap-anywhere whitespace-pre-wrap">{children}</div>
  );
}
