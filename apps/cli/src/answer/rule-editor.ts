import type { NewPolicy } from '@executor/protocol';
import { printable } from '@executor/protocol';
import { conditionText, parseCondition } from '../policy/condition.ts';
import { noteLine, ruleText } from '../policy/rule-text.ts';
import { choose, enterText } from './prompts.ts';

/** Shows a rule before it is saved, and lets its pattern and conditions be changed; undefined where the person went back. */
export async function editRule(proposed: NewPolicy, signal: AbortSignal): Promise<NewPolicy | undefined> {
  let rule = proposed;
  for (;;) {
    const message = `From now on: ${ruleText(rule)}${noteLine(rule)}`;
    const chosen = await choose({ message, signal }, editChoices(rule));
    if (chosen === undefined || chosen === 'back') return undefined;
    if (chosen === 'save') return rule;
    const typed = await enterText(
      { message: editMessages(chosen), signal },
      { initial: textOf(rule, chosen), problem: (value) => problemWith(rule, chosen, value) },
    );
    if (typed !== undefined) rule = changeRule(rule, chosen, typed);
  }
}

/** What of a rule is changed: its pattern, a condition by its place, or a condition that is added. */
type RulePart = 'pattern' | 'add' | `condition:${number}`;

/** What was noted of a rule names the fields that it left open, which are others now. */
const changedNote =
  'Remembered with an approval, and changed. Fields that it does not name may have any value.';

/** The rule with a part as it was typed; a condition that is left empty goes. */
export function changeRule(rule: NewPolicy, part: RulePart, typed: string): NewPolicy {
  if (part === 'pattern') return { ...rule, pattern: typed.trim() };
  const conditions = [...rule.conditions];
  const place = part === 'add' ? conditions.length : Number(part.slice('condition:'.length));
  if (typed.trim() === '') conditions.splice(place, 1);
  else conditions[place] = parseCondition(typed);
  return { ...rule, conditions, ...(rule.note !== undefined && { note: changedNote }) };
}

function editChoices(rule: NewPolicy): { value: RulePart | 'save' | 'back'; label: string }[] {
  return [
    { value: 'save', label: 'Save this rule and approve' },
    { value: 'pattern', label: `Change the tools it is for: ${printable(rule.pattern)}` },
    ...rule.conditions.map((condition, index) => ({
      value: `condition:${index}` as const,
      label: `Change or drop the condition ${printable(conditionText(condition))}`,
    })),
    { value: 'add', label: 'Add a condition' },
    { value: 'back', label: 'Back' },
  ];
}

function editMessages(part: RulePart): string {
  return part === 'pattern'
    ? 'The tools it is for (* is one segment, ** the rest)'
    : 'The condition: field=value, field=one,other or field^=beginning; empty drops it';
}

function textOf(rule: NewPolicy, part: RulePart): string {
  if (part === 'pattern') return rule.pattern;
  const condition = part === 'add' ? undefined : rule.conditions[Number(part.slice('condition:'.length))];
  return condition ? conditionText(condition) : '';
}

function problemWith(rule: NewPolicy, part: RulePart, typed: string): string | undefined {
  try {
    return changeRule(rule, part, typed).pattern === '' ? 'It is needed.' : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
