import { type ReactNode, useId } from 'react';

interface FieldProps {
  label: string;
  hint?: string | undefined;
  /** Receives the attributes that connect the control with its label and hint. */
  children(control: { id: string; 'aria-describedby': string | undefined }): ReactNode;
}

/** A control with a label above and an optional hint below. */
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
