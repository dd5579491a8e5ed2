import type { PrincipalKind } from '@executor/protocol';
import { useId } from 'react';

const kinds: { kind: PrincipalKind; label: string; hint: string }[] = [
  {
    kind: 'agent',
    label: 'Agent',
    hint: 'Can run code. Cannot approve calls or read secrets.',
  },
  {
    kind: 'person',
    label: 'Person',
    hint: 'Can do everything that you can. For your own scripts, never for an agent.',
  },
];

interface ApiKeyKindFieldProps {
  value: PrincipalKind;
  onChange: (kind: PrincipalKind) => void;
}

export function ApiKeyKindField({ value, onChange }: ApiKeyKindFieldProps) {
  const id = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">Who will use it?</legend>
      {kinds.map(({ kind, label, hint }) => (
        <label
          key={kind}
          className="flex cursor-pointer gap-3 rounded-lg border border-line p-3 has-checked:border-accent has-checked:bg-sunken"
        >
          <input
            type="radio"
            name="kind"
            aria-label={label}
            aria-describedby={`${id}-${kind}`}
            checked={value === kind}
            onChange={() => onChange(kind)}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          <span className="text-sm">
            <span className="font-medium">{label}</span>
            <span id={`${id}-${kind}`} className="block text-muted">
              {hint}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
