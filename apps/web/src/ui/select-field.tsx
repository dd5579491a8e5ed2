import { type ComponentProps, type ReactNode, useId } from 'react';

interface SelectFieldProps extends Omit<ComponentProps<'select'>, 'id' | 'className'> {
  label: string;
  hint?: string | undefined;
  children: ReactNode;
}

export function SelectField({ label, hint, children, ...rest }: SelectFieldProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium wrap-anywhere">
        {label}
      </label>
      <select
        {...rest}
        id={id}
        aria-describedby={hint && `${id}-hint`}
        className="min-h-9 w-full min-w-0 rounded-lg border border-control bg-surface px-2 text-base sm:text-sm"
      >
        {children}
      </select>
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-muted wrap-anywhere">
          {hint}
        </p>
      )}
    </div>
  );
}
