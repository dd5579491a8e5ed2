import { printable } from '@executor/protocol';
import { SelectField } from '../../../../ui/select-field.tsx';
import { TextArea } from '../../../../ui/text-area.tsx';
import { TextField } from '../../../../ui/text-field.tsx';
import type { FormField } from '../../form-fields.ts';

interface FormFieldInputProps {
  field: FormField;
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
}

export function FormFieldInput({ field, value, problem, onChange }: FormFieldInputProps) {
  return (
    <div className="flex flex-col gap-1">
      <Input field={field} value={value} problem={problem} onChange={onChange} />
      {problem && (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
    </div>
  );
}

function Input({ field, value, problem, onChange }: FormFieldInputProps) {
  const { type, required } = field;
  const label = printable(field.label) + (required ? '' : ' (optional)');
  const common = {
    label,
    hint: field.hint && printable(field.hint),
    'aria-required': required,
    'aria-invalid': problem !== undefined,
    value,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  switch (type) {
    case 'boolean':
      return <Switch field={field} value={value} problem={problem} onChange={onChange} />;
    case 'choice':
      return (
        <SelectField {...common}>
          <option value="">{required ? 'Choose…' : 'None'}</option>
          {field.choices?.map(({ label }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a choice is identified by its index
            <option key={index} value={index}>
              {printable(label)}
            </option>
          ))}
        </SelectField>
      );
    case 'lines':
    case 'json':
      return <TextArea {...common} rows={5} mono={type === 'json'} spellCheck={type === 'lines'} />;
    case 'password':
      return <TextField {...common} type="password" autoComplete="off" spellCheck={false} />;
    case 'number':
      return <TextField {...common} inputMode="decimal" autoComplete="off" />;
    case 'text':
      return <TextField {...common} autoComplete="off" />;
  }
}

function Switch({ field, value, onChange }: FormFieldInputProps) {
  return (
    <label className="flex items-start gap-2.5 text-sm">
      <input
        type="checkbox"
        checked={value === 'true'}
        onChange={(event) => onChange(String(event.target.checked))}
        className="mt-0.5 size-4 accent-accent"
      />
      <span className="wrap-anywhere">
        <span className="font-medium">{printable(field.label)}</span>
        {field.hint && <span className="block text-xs text-muted">{printable(field.hint)}</span>}
      </span>
    </label>
  );
}
