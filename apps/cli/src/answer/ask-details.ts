import type { Interaction, NewPolicy, Resolution } from '@executor/protocol';
import { ExecutorError, printable } from '@executor/protocol';
import type { Environment } from '../environment.ts';
import type { Choice } from './choices.ts';
import { type Field, flatForm, parseTypedJson, readField } from './form.ts';
import { choose, enterHidden, enterText } from './prompts.ts';
import { editRule } from './rule-editor.ts';

/** Turns a choice into an answer and asks for missing details. Undefined if the user went back. */
export async function askDetails(
  environment: Environment,
  choice: Choice,
  interaction: Interaction,
  signal: AbortSignal,
): Promise<Resolution | undefined> {
  switch (choice) {
    case 'approve':
      return { action: 'approve', scope: 'once' };
    case 'identical':
      return { action: 'approve', scope: 'identical' };
    case 'remember':
      return withRule(environment, interaction.remember, signal);
    case 'deny':
    case 'fail':
      return withReason(environment, choice, signal);
    case 'retry':
    case 'cancel':
      return { action: choice };
    case 'complete':
      return withJson(environment, 'complete', 'The result of the call, as JSON', signal);
    case 'submit':
      return submission(environment, interaction, signal);
    default:
      return undefined;
  }
}

export async function withReason(
  environment: Environment,
  action: 'deny' | 'fail',
  signal: AbortSignal,
): Promise<Resolution | undefined> {
  const reason = await enterText(environment, {
    message: 'Why? The code receives the reason (may be empty)',
    signal,
  });
  if (reason === undefined) return undefined;
  return { action, ...(reason.trim() !== '' && { reason: reason.trim() }) };
}

async function withRule(
  environment: Environment,
  rule: NewPolicy | undefined,
  signal: AbortSignal,
): Promise<Resolution | undefined> {
  if (rule === undefined) return undefined;
  const remember = await editRule(environment, rule, signal);
  return remember && { action: 'approve', scope: 'once', remember };
}

async function withJson(
  environment: Environment,
  action: 'complete' | 'submit',
  message: string,
  signal: AbortSignal,
): Promise<Resolution | undefined> {
  const typed = await enterText(
    environment,
    { message, signal },
    { problem: (value) => jsonProblem(value, message) },
  );
  return typed === undefined ? undefined : { action, data: parseTypedJson(typed, message) };
}

function jsonProblem(typed: string, what: string): string | undefined {
  try {
    parseTypedJson(typed, what);
    return undefined;
  } catch (error) {
    return error instanceof ExecutorError
      ? 'It must be JSON: a text in "quotes", a number, {…}'
      : String(error);
  }
}

async function submission(
  environment: Environment,
  { kind, request }: Interaction,
  signal: AbortSignal,
): Promise<Resolution | undefined> {
  if (kind === 'oauth') return { action: 'submit' };
  const form = flatForm(request);
  if (form === undefined) return withJson(environment, 'submit', 'The answer, as JSON', signal);
  const data: Record<string, unknown> = {};
  for (const field of form) {
    const answer = await askField(environment, field, { hidden: kind === 'credential', signal });
    if (answer === undefined) return undefined;
    if (answer.value !== undefined) data[field.name] = answer.value;
  }
  return { action: 'submit', data: data as NonNullable<Resolution['data']> };
}

async function askField(
  environment: Environment,
  field: Field,
  { hidden, signal }: { hidden: boolean; signal: AbortSignal },
): Promise<{ value: unknown } | undefined> {
  const message = printable(field.required ? field.title : `${field.title} (may be empty)`);
  const choices = field.type === 'boolean' ? yesOrNo : field.choices;
  if (choices) {
    const rows = choices.map(({ label }, index) => ({ value: String(index), label: printable(label) }));
    const none = field.required ? [] : [{ value: 'none', label: '(none)' }];
    const chosen = await choose(environment, { message, signal }, [...rows, ...none]);
    return chosen === undefined ? undefined : { value: choices[Number(chosen)]?.value };
  }
  const problem = (typed: string) => {
    const read = readField(field, typed);
    return 'problem' in read ? read.problem : undefined;
  };
  const initial = field.initial === undefined ? {} : { initial: printable(String(field.initial)) };
  const typed = hidden
    ? await enterHidden(environment, { message, signal }, problem)
    : await enterText(environment, { message, signal }, { ...initial, problem });
  if (typed === undefined) return undefined;
  const read = readField(field, typed);
  return 'value' in read ? read : undefined;
}

const yesOrNo = [
  { value: true, label: 'yes' },
  { value: false, label: 'no' },
];
