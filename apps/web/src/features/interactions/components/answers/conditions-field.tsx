import { textParts } from '@executor/protocol';
import { Button } from '../../../../ui/button.tsx';
import { Revealed } from '../../../../ui/revealed.tsx';
import { type Comparison, type ConditionDraft, needsValue } from '../../rule-draft.ts';

const comparisons: { value: Comparison; name: string }[] = [
  { value: 'equals', name: 'is' },
  { value: 'notEquals', name: 'is not' },
  { value: 'oneOf', name: 'is one of' },
  { value: 'prefix', name: 'begins with' },
  { value: 'contains', name: 'contains' },
  { value: 'lessThan', name: '<' },
  { value: 'lessThanOrEqual', name: '≤' },
  { value: 'greaterThan', name: '>' },
  { value: 'greaterThanOrEqual', name: '≥' },
  { value: 'exists', name: 'exists' },
  { value: 'missing', name: 'is missing' },
];

const placeholders: Record<Comparison, string> = {
  equals: '"text"',
  notEquals: '"text"',
  oneOf: '["one", "other"]',
  prefix: 'text',
  contains: '"text"',
  lessThan: '100',
  lessThanOrEqual: '100',
  greaterThan: '100',
  greaterThanOrEqual: '100',
  exists: '',
  missing: '',
};

interface ConditionsFieldProps {
  conditions: ConditionDraft[];
  onChange: (conditions: ConditionDraft[]) => void;
}

/** The conditions of a rule, all of which must hold. Values are JSON, so that `"3"` and `3` are different values. */
export function ConditionsField({ conditions, onChange }: ConditionsFieldProps) {
  const edit = (key: number, changes: Partial<ConditionDraft>) =>
    onChange(
      conditions.map((condition) => (condition.key === key ? { ...condition, ...changes } : condition)),
    );
  const add = () =>
    onChange([
      ...conditions,
      {
        key: Math.max(-1, ...conditions.map(({ key }) => key)) + 1,
        field: '',
        comparison: 'equals',
        value: '',
      },
    ]);
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">Only if</legend>
      {conditions.length === 0 && (
        <p className="text-sm text-warn">The rule has no conditions. It allows these calls with any input.</p>
      )}
      <ul aria-label="Conditions" className="flex flex-col gap-3 empty:hidden sm:gap-2">
        {conditions.map((condition, index) => (
          <ConditionRow
            key={condition.key}
            condition={condition}
            number={index + 1}
            onChange={(changes) => edit(condition.key, changes)}
            onRemove={() => onChange(conditions.filter(({ key }) => key !== condition.key))}
          />
        ))}
      </ul>
      <Button look="quiet" className="self-start" onClick={add}>
        Add a condition
      </Button>
    </fieldset>
  );
}

interface ConditionRowProps {
  condition: ConditionDraft;
  number: number;
  onChange: (changes: Partial<ConditionDraft>) => void;
  onRemove: () => void;
}

const input =
  'min-h-9 min-w-0 rounded-lg border border-control bg-surface px-2.5 font-mono text-base sm:text-sm [unicode-bidi:bidi-override]';

function ConditionRow({ condition, number, onChange, onRemove }: ConditionRowProps) {
  const { field, comparison, value } = condition;
  return (
    <li className="grid grid-cols-[1fr_auto_auto] gap-2 sm:grid-cols-[10rem_auto_1fr_auto]">
      <input
        aria-label={`Field of condition ${number}`}
        placeholder="field"
        maxLength={200}
        value={field}
        onChange={(event) => onChange({ field: event.target.value })}
        className={input}
      />
      <select
        aria-label={`Comparison of condition ${number}`}
        value={comparison}
        onChange={(event) => onChange({ comparison: event.target.value as Comparison })}
        className="min-h-9 rounded-lg border border-control bg-surface px-2 text-base sm:text-sm"
      >
        {comparisons.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <input
        aria-label={`Value of condition ${number}`}
        placeholder={placeholders[comparison]}
        disabled={!needsValue(comparison)}
        value={value}
        onChange={(event) => onChange({ value: event.target.value })}
        className={`${input} max-sm:order-1 max-sm:col-span-full`}
      />
      <Button look="quiet" aria-label={`Remove condition ${number}`} onClick={onRemove}>
        <span aria-hidden="true">✕</span>
      </Button>
      {hasDisguise(field + value) && (
        <p className="col-span-full font-mono max-sm:order-2 text-xs wrap-anywhere">
          <Revealed text={field} /> · <Revealed text={value} />
        </p>
      )}
    </li>
  );
}

function hasDisguise(text: string): boolean {
  return textParts(text).some(({ type }) => type === 'disguise');
}
