import type { ComponentProps } from 'react';
import { Field } from './field.tsx';

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'id' | 'className'> {
  label: string;
  hint?: string | undefined;
  mono?: boolean;
}

export function TextArea({ label, hint, mono = false, ...rest }: TextAreaProps) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <textarea
          rows={3}
          {...rest}
          {...control}
          className={`w-full rounded-lg border border-control bg-surface px-3 py-2 text-base sm:text-sm ${mono ? 'font-mono' : ''}`}
        />
      )}
    </Field>
  );
}
