import { type NewPolicy, type PolicyCondition, PolicyPattern, type PolicyScope } from '@executor/protocol';
import type { PolicyRow } from '../ports/policy-store.ts';
import { conditionHolds } from './condition.ts';
import { decide, type RuledCall } from './decide.ts';
import { sentInput } from './judged-input.ts';

/** The limits of a rule on the wire. */
const maxConditions = 20;
const maxFieldLength = 200;
/** Of the JSON text of one value. A longer text will hardly be sent again word for word. */
const maxValueLength = 1_000;
const maxNamesInNote = 12;

/**
 * The rule that allows this call from now on and as little else as possible: this tool, this actor, and each field of the input with its
 * present value. If a rule of the workspace asks, the new rule is for the workspace too. Undefined if no rule could allow the call.
 *
 * Only fields of this input have conditions, so a later call with one more field is covered too; the note says so. Defaults were filled
 * in before, so they have conditions.
 */
export function narrowestRule(rules: readonly PolicyRow[], call: RuledCall): NewPolicy | undefined {
  const { path } = call.tool;
  if (path.includes('*') || !PolicyPattern.safeParse(path).success) return undefined;
  const { conditions, leftOut } = conditionsOf(sentInput(call.input));
  const note = `Remembered with an approval. ${openFields(leftOut)}`;
  return scopesOf(call)
    .map((scope): NewPolicy => ({ scope, pattern: path, conditions, decision: 'allow', note }))
    .find((rule) => allows(rules, rule, call));
}

/** Whether the call would be allowed with this rule among the others. */
function allows(rules: readonly PolicyRow[], rule: NewPolicy, call: RuledCall): boolean {
  return decide([...rules, { ...rule, id: '' }], call).decision === 'allow';
}

/** Never a client: any client can claim the name of another. */
function scopesOf({ caller: { actorId } }: RuledCall): PolicyScope[] {
  return [{ type: 'actor', actorId }, { type: 'workspace' }];
}

function conditionsOf(input: unknown): { conditions: PolicyCondition[]; leftOut: string[] } {
  const conditions: PolicyCondition[] = [];
  const leftOut: string[] = [];
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { conditions, leftOut };
  for (const field of Object.keys(input)) {
    const equals = (input as Record<string, never>)[field];
    const condition: PolicyCondition = { field, equals: equals as unknown as null };
    // It fails if a key with a dot in it contradicts the nested field of the same name.
    const fits =
      conditions.length < maxConditions &&
      isSmall(field, equals) &&
      conditionHolds(condition, input, 'allow');
    if (fits) conditions.push(condition);
    else leftOut.push(field);
  }
  return { conditions, leftOut };
}

function isSmall(field: string, value: unknown): boolean {
  return field.length > 0 && field.length <= maxFieldLength && JSON.stringify(value).length <= maxValueLength;
}

/** Part of the note: the rule looks as if it covered this call only, so it must say what else it covers. */
function openFields(leftOut: string[]): string {
  if (leftOut.length === 0) return 'Fields without a condition may have any value.';
  const names = leftOut.slice(0, maxNamesInNote).map((field) => field.slice(0, 30));
  const more = leftOut.length > names.length ? ` and ${leftOut.length - names.length} more` : '';
  return `Fields without a condition may have any value, here: ${names.join(', ')}${more}.`.slice(0, 460);
}
