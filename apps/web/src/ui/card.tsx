import { type ReactNode, useId } from 'react';

interface CardProps {
  title: ReactNode;
  description?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

export function Card({ title, description, action, children }: CardProps) {
  const titleId = useId();
  return (
    <section
      aria-labelledby={titleId}
      className="overflow-hidden rounded-2xl border border-line bg-surface shadow-xs"
    >
      <div className="flex items-start justify-between gap-3 px-5 pt-5 pb-4 sm:px-6">
        <div className="min-w-0">
          <h2 id={titleId} className="font-semibold">
            {title}
          </h2>
          {description && <p className="mt-1 text-sm text-muted">{description}</p>}
        </div>
        {action}
      </div>
      <div className="border-t border-line">{children}</div>
    </section>
  );
}
