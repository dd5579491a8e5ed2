import type { NewPolicy } from '@executor/protocol';
import { printable } from '@executor/protocol';
import type { Environment } from '../environment.ts';
import { conditionSyntax, conditionText, parseCondition } from '../policy/condition.ts';
import { noteLine, ruleText } from '../policy/rule-text.ts';
import { choose, enterText } from './prompts.ts';

/** Shows a rule before it is saved, and lets the user change its pattern and conditions; undefined if the user went back. */
export async function editRule(
  environment: Environment,
  proposed: NewPolicy,
  signal: AbortSignal,
): Promise<NewPolicy | undefined> {
  let rule = proposed;
  for (;;) {
    const message = `From now on: ${ruleText(rule)}${noteLine(rule)}`;
    const chosen = await choose(environment, { message, signal }, editChoices(rule));
    if (chosen === undefined || chosen === 'back') return undefined;
    if (chosen === 'save') return rule;
    const typed = await enterText(
      environment,
      { message: editMessages(chosen), signal },
      { initial: textOf(rule, chosen), problem: (value) => problemWith(rule, chosen, value) },
    );
    if (typed !== undefined) rule = changeRule(rule, chosen, typed);
  }
}

/** The part of a rule to change: its pattern, a condition by its index, or a new condition. */
type RulePart = 'pattern' | 'add' | `condition:${number}`;

/** The proposed note names the fields without a condition, which are other fields after a change. */
const changedNote =
  'Remembered with an approval, and changed. Fields without a condition may have any value.';

/** The rule with one part as typed. An empty condition is removed. */
export function changeRule(rule: NewPolicy, part: RulePart, typed: string): NewPolicy {
  if (part === 'pattern') return { ...rule, pattern: typed.trim() };
  const conditions = [...rule.conditions];
  const index = part === 'add' ? conditions.length : Number(part.slice('condition:'.length));
  if (typed.trim() === '') conditions.splice(index, 1);
  else conditions[index] = parseCondition(typed);
  return { ...rule, conditions, ...(rule.note !== undefined && { note: changedNote }) };
}

function editChoices(rule: NewPolicy): { value: RulePart | 'save' | 'back'; label: string }[] {
  return [
    { value: 'save', label: 'Save this rule and approve' },
    { value: 'pattern', label: `Change the tools: ${printable(rule.pattern)}` },
    ...rule.conditions.map((condition, index) => ({
      value: `condition:${index}` as const,
      label: `Change or remove the condition ${printable(conditionText(condition))}`,
    })),
    { value: 'add', label: 'Add a condition' },
    { value: 'back', label: 'Back' },
  ];
}

function editMessages(part: RulePart): string {
  return part === 'pattern'
    ? 'Tools (* is one segment, ** the rest)'
    : `Condition (${conditionSyntax}). Leave it empty to remove the condition.`;
}

function textOf(rule: NewPolicy, part: RulePart): string {
  if (part === 'pattern') return rule.pattern;
  const condition = part === 'add' ? undefined : rule.conditions[Number(part.slice('condition:'.length))];
  return condition ? conditionText(condition) : '';
}

function problemWith(rule: NewPolicy, part: RulePart, typed: string): string | undefined {
  try {
    return changeRule(rule, part, typed).pattern === '' ? 'The pattern must not be empty.' : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
