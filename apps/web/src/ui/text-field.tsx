import { type ComponentProps, useId } from 'react';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'className'> {
  label: string;
  hint?: string | undefined;
}

export function TextField({ label, hint, ...rest }: TextFieldProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium wrap-anywhere">
        {label}
      </label>
      <input
        {...rest}
        id={id}
        aria-describedby={hint && `${id}-hint`}
        className="min-h-9 w-full rounded-lg border border-control bg-surface px-3 text-base sm:text-sm"
      />
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-muted wrap-anywhere">
          {hint}
        </p>
      )}
    </div>
  );
}
