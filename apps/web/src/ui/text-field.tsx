import type { ComponentProps } from 'react';
import { Field } from './field.tsx';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'className'> {
  label: string;
  hint?: string | undefined;
}

export function TextField({ label, hint, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <input
          {...rest}
          {...control}
          className="min-h-9 w-full rounded-lg border border-control bg-surface px-3 text-base sm:text-sm"
        />
      )}
    </Field>
  );
}
