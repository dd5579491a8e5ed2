import { type NewPolicy, type PolicyCondition, PolicyPattern, textParts } from '@executor/protocol';
import { readJson } from './form-fields.ts';

export type Comparison =
  | 'equals'
  | 'notEquals'
  | 'oneOf'
  | 'prefix'
  | 'contains'
  | 'lessThan'
  | 'lessThanOrEqual'
  | 'greaterThan'
  | 'greaterThanOrEqual'
  | 'exists'
  | 'missing';

/** A condition while it is edited. Its value is the typed text: plain for a prefix, JSON otherwise, unused for a presence check. */
export interface ConditionDraft {
  key: number;
  field: string;
  comparison: Comparison;
  value: string;
}

/** A rule while it is edited. */
export interface RuleDraft {
  pattern: string;
  /** Whose calls the rule covers: those of the proposed scope, or of everybody. */
  scope: 'proposed' | 'workspace';
  conditions: ConditionDraft[];
  note: string;
}

export function draftOf({ pattern, conditions, note = '' }: NewPolicy): RuleDraft {
  return { pattern, scope: 'proposed', conditions: conditions.map(conditionDraft), note };
}

/** The fields of a call that the rule has no condition on. They may have any value. */
export function openFields(input: unknown, { conditions }: RuleDraft): string[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return [];
  const named = new Set(conditions.map(({ field }) => field.trim()));
  return Object.keys(input).filter((field) => !named.has(field));
}

export function needsValue(comparison: Comparison): boolean {
  return comparison !== 'exists' && comparison !== 'missing';
}

function conditionDraft(condition: PolicyCondition, key: number): ConditionDraft {
  const { field, ...rest } = condition;
  const [comparison, value] = Object.entries(rest)[0] as [Comparison, unknown];
  if (comparison === 'exists') return { key, field, comparison: value ? 'exists' : 'missing', value: '' };
  if (comparison === 'prefix') return { key, field, comparison, value: value as string };
  return { key, field, comparison, value: visibleJson(value) };
}

/** JSON in which every invisible character is an escape, so that a text field shows all of it. */
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

/** The edited rule, or its problem. Remembering an approval always makes an `allow` rule. */
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

type ReadCondition = { condition: PolicyCondition } | { problem: string };
type Json = Extract<PolicyCondition, { equals: unknown }>['equals'];

function readCondition({ field: typed, comparison, value }: ConditionDraft): ReadCondition {
  const field = typed.trim();
  if (field === '') return { problem: 'Enter the name of a field.' };
  if (comparison === 'exists' || comparison === 'missing')
    return { condition: { field, exists: comparison === 'exists' } };
  if (comparison === 'prefix')
    return value === ''
      ? { problem: 'Enter the text that it begins with.' }
      : { condition: { field, prefix: value } };
  const json = readJson(value);
  if ('problem' in json) return json;
  return conditionWith(field, comparison, json.value as Json);
}

function conditionWith(
  field: string,
  comparison: Exclude<Comparison, 'prefix' | 'exists' | 'missing'>,
  value: Json,
): ReadCondition {
  switch (comparison) {
    case 'equals':
      return { condition: { field, equals: value } };
    case 'notEquals':
      return { condition: { field, notEquals: value } };
    case 'contains':
      return { condition: { field, contains: value } };
    case 'oneOf':
      return Array.isArray(value) && value.length > 0
        ? { condition: { field, oneOf: value } }
        : { problem: 'Enter a JSON list of values: ["one", "other"].' };
    default:
      return typeof value === 'number'
        ? { condition: { field, [comparison]: value } as PolicyCondition }
        : { problem: 'Enter a number.' };
  }
}

function problem(text: string): ReadRule {
  return { type: 'problem', problem: text };
}
