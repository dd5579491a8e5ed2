import { type FormEvent, useMemo, useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { type FormField, formFields, readForm } from '../../form-fields.ts';
import { AnswerBar } from './answer-bar.tsx';
import type { AnswersProps } from './answers-props.ts';
import { FormFieldInput } from './form-field-input.tsx';

/** If the schema has no fields, the whole answer is one field. */
const whole: FormField = {
  name: 'data',
  label: 'Answer, as JSON',
  type: 'json',
  required: true,
  initial: '',
};

/** A form for the schema of a tool's question. */
export function FormAnswers({ interaction, resolve }: AnswersProps) {
  const { request, kind } = interaction;
  const fields = useMemo(() => formFields(request, kind), [request, kind]);
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [problems, setProblems] = useState<Record<string, string>>({});

  function submit(event: FormEvent) {
    event.preventDefault();
    const read = readForm(fields ?? [whole], typed);
    setProblems(read.type === 'problems' ? read.problems : {});
    if (read.type === 'read')
      resolve.mutate({ action: 'submit', data: (fields ? read.data : read.data.data) as never });
  }

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <div className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-5 shadow-xs">
        {(fields ?? [whole]).map((field) => (
          <FormFieldInput
            key={field.name}
            field={field}
            value={typed[field.name] ?? field.initial}
            problem={problems[field.name]}
            onChange={(value) => setTyped({ ...typed, [field.name]: value })}
          />
        ))}
      </div>
      <AnswerBar>
        <Button type="submit" look="primary" busy={resolve.isPending}>
          Send the answer
        </Button>
        <Button busy={resolve.isPending} onClick={() => resolve.mutate({ action: 'cancel' })}>
          Decline
        </Button>
      </AnswerBar>
    </form>
  );
}
