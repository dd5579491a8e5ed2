import { type NewPolicy, type PolicyCondition, PolicyPattern, textParts } from '@executor/protocol';
import { readJson } from './form-fields.ts';

export type Comparison = 'equals' | 'oneOf' | 'prefix';

/** A condition while it is edited: its value is as it was typed, JSON but for the beginning of a text. */
export interface ConditionDraft {
  key: number;
  field: string;
  comparison: Comparison;
  value: string;
}

/** A rule while it is edited. */
export interface RuleDraft {
  pattern: string;
  /** Whose calls it is for: what was proposed, or everybody's. */
  scope: 'proposed' | 'workspace';
  conditions: ConditionDraft[];
  note: string;
}

export function draftOf({ pattern, conditions, note = '' }: NewPolicy): RuleDraft {
  return { pattern, scope: 'proposed', conditions: conditions.map(conditionDraft), note };
}

/** The fields of a call that its rule does not look at: whatever they hold, the rule covers it. */
export function openFields(input: unknown, { conditions }: RuleDraft): string[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return [];
  const named = new Set(conditions.map(({ field }) => field.trim()));
  return Object.keys(input).filter((field) => !named.has(field));
}

function conditionDraft(condition: PolicyCondition, key: number): ConditionDraft {
  const { field } = condition;
  if ('prefix' in condition) return { key, field, comparison: 'prefix', value: condition.prefix };
  if ('oneOf' in condition) return { key, field, comparison: 'oneOf', value: visibleJson(condition.oneOf) };
  return { key, field, comparison: 'equals', value: visibleJson(condition.equals) };
}

/** JSON in which nothing is unseen: it may be written with escapes, which a text field can show. */
function visibleJson(value: unknown): string {
  return textParts(JSON.stringify(value))
    .map((part) => (part.type === 'plain' ? part.text : escaped(String.fromCodePoint(part.codePoint))))
    .join('');
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

export type ReadRule = { type: 'rule'; rule: NewPolicy } | { type: 'problem'; problem: string };

/** The rule that was edited, or what is wrong with it. An approval is remembered as what it is: allow. */
export function readRule({ pattern, scope, conditions, note }: RuleDraft, proposed: NewPolicy): ReadRule {
  const checked = PolicyPattern.safeParse(pattern.trim());
  if (!checked.success) return problem(`The tools: ${checked.error.issues[0]?.message}.`);
  const read: PolicyCondition[] = [];
  for (const draft of conditions) {
    const condition = readCondition(draft);
    if ('problem' in condition) return problem(`${draft.field || 'A condition'}: ${condition.problem}`);
    read.push(condition.condition);
  }
  return {
    type: 'rule',
    rule: {
      scope: scope === 'proposed' ? proposed.scope : { type: 'workspace' },
      pattern: checked.data,
      conditions: read,
      decision: 'allow',
      ...(note.trim() !== '' && { note: note.trim() }),
    },
  };
}

function readCondition({
  field: typed,
  comparison,
  value,
}: ConditionDraft): { condition: PolicyCondition } | { problem: string } {
  const field = typed.trim();
  if (field === '') return { problem: 'It needs the name of a field.' };
  if (comparison === 'prefix')
    return value === '' ? { problem: 'It needs a beginning.' } : { condition: { field, prefix: value } };
  const json = readJson(value);
  if ('problem' in json) return json;
  if (comparison === 'equals') return { condition: { field, equals: json.value as Json } };
  if (!Array.isArray(json.value) || json.value.length === 0)
    return { problem: 'It must be a JSON list of values: ["one", "other"].' };
  return { condition: { field, oneOf: json.value as Json[] } };
}

type Json = Extract<PolicyCondition, { equals: unknown }>['equals'];

function problem(text: string): ReadRule {
  return { type: 'problem', problem: text };
}
