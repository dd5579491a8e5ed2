import type { ReactNode } from 'react';

const looks = {
  neutral: 'border-line bg-surface text-muted',
  good: 'border-good text-good',
  warn: 'border-warn bg-warn-soft text-warn',
  danger: 'border-danger bg-danger-soft text-danger',
  accent: 'border-accent text-accent',
};

export type BadgeLook = keyof typeof looks;

export function Badge({ look = 'neutral', children }: { look?: BadgeLook; children: ReactNode }) {
  return (
    <span
      className={`inline-flex shrink-0 items-center rounded-full border px-2 text-xs leading-5 font-medium whitespace-nowrap ${looks[look]}`}
    >
      {children}
    </span>
  );
}
