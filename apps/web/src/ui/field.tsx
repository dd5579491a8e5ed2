import { type ReactNode, useId } from 'react';

interface FieldProps {
  label: string;
  hint?: string | undefined;
  /** What goes on the control itself, so that its label and hint are known as its own. */
  children(control: { id: string; 'aria-describedby': string | undefined }): ReactNode;
}

/** A control with its label above it and, where there is one, a hint below. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium wrap-anywhere">
        {label}
      </label>
      {children({ id, 'aria-describedby': hint && hintId })}
      {hint && (
        <p id={hintId} className="text-xs text-muted wrap-anywhere">
          {hint}
        </p>
      )}
    </div>
  );
}
