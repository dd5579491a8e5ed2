import type { ReactNode } from 'react';
import { Mark } from './mark.tsx';

/** A page with one message. */
export function CenteredPanel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <div className="flex w-full max-w-md flex-col gap-5 rounded-2xl border border-line bg-surface p-6 shadow-xs sm:p-8">
        <Mark />
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {children}
      </div>
    </main>
  );
}
