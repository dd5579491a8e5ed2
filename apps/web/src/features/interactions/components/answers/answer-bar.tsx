import type { ReactNode } from 'react';

/** Stays visible while the user scrolls through a long request. On a phone its buttons share the width. */
export function AnswerBar({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-3 z-10 flex flex-wrap gap-2 rounded-2xl border border-line bg-surface p-3 shadow-lg *:grow sm:*:grow-0">
      {children}
    </div>
  );
}
