import type { ReactNode } from 'react';

const looks = {
  danger: 'bg-danger-soft text-danger',
  warn: 'bg-warn-soft text-warn',
  plain: 'bg-sunken text-ink',
};

interface NoticeProps {
  look: keyof typeof looks;
  action?: ReactNode;
  children: ReactNode;
}

export function Notice({ look, action, children }: NoticeProps) {
  return (
    <div
      role={look === 'danger' ? 'alert' : 'note'}
      className={`flex flex-wrap items-center justify-between gap-3 rounded-lg px-3 py-2.5 text-sm ${looks[look]}`}
    >
      <p className="min-w-0 flex-1 basis-56 wrap-anywhere">{children}</p>
      {action}
    </div>
  );
}
