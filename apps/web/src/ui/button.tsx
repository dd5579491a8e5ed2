import type { ComponentProps } from 'react';

type Look = 'primary' | 'secondary' | 'danger' | 'quiet';

const looks: Record<Look, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  secondary: 'bg-surface text-ink border-line hover:bg-sunken',
  danger: 'bg-danger text-surface border-transparent hover:opacity-90',
  quiet: 'bg-transparent text-muted border-transparent hover:bg-sunken hover:text-ink',
};

interface ButtonProps extends ComponentProps<'button'> {
  look?: Look;
  /** The action is in progress. Further clicks do nothing. */
  busy?: boolean;
}

export function Button({ look = 'secondary', busy = false, className = '', onClick, ...props }: ButtonProps) {
  return (
    <button
      type="button"
      {...props}
      // Not `disabled`, because a disabled button loses the focus, which keyboard users need.
      aria-disabled={busy}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={`inline-flex min-h-9 shrink-0 items-center justify-center gap-2 rounded-lg border px-3 text-sm font-medium transition-colors aria-disabled:opacity-60 ${looks[look]} ${className}`}
    />
  );
}
