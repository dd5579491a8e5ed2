import { type ComponentProps, useId } from 'react';

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'id' | 'className'> {
  label: string;
  hint?: string | undefined;
  mono?: boolean;
}

export function TextArea({ label, hint, mono = false, ...rest }: TextAreaProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium wrap-anywhere">
        {label}
      </label>
      <textarea
        rows={3}
        {...rest}
        id={id}
        aria-describedby={hint && `${id}-hint`}
        className={`w-full rounded-lg border border-control bg-surface px-3 py-2 text-base sm:text-sm ${mono ? 'font-mono' : ''}`}
      />
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-muted wrap-anywhere">
          {hint}
        </p>
      )}
    </div>
  );
}
