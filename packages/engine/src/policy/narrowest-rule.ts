import { type NewPolicy, type PolicyCondition, PolicyPattern, type PolicyScope } from '@executor/protocol';
import type { PolicyRow } from '../ports/policy-store.ts';
import { conditionHolds } from './condition.ts';
import { decide, type RuledCall } from './decide.ts';

/** A rule holds as many conditions, and a field name is as long. */
const maxConditions = 20;
const maxFieldLength = 200;
/** JSON text of one value. Longer ones are texts that will not come again word for word. */
const maxValueLength = 1_000;
const maxNamesInNote = 12;

/**
 * The rule that lets this call pass from now on and as little else as possible: this tool, this actor, and each field of the input as it is now. Where a narrow scope would change nothing, because a wider one
 * has a rule that requires approval, it is for that scope. Undefined where no rule could do it.
 *
 * Conditions are on fields that are there, so a later call with one more field is covered too; the note says so. Where the schema has
 * a default for a field, it was filled in before, and is held to.
 */
export function narrowestRule(rules: readonly PolicyRow[], call: RuledCall): NewPolicy | undefined {
  const { path } = call.tool;
  if (path.includes('*') || !PolicyPattern.safeParse(path).success) return undefined;
  const { conditions, leftOut } = conditionsOf(call.input);
  const note = `Remembered with an approval. ${openFields(leftOut)}`;
  return scopesOf(call)
    .map((scope): NewPolicy => ({ scope, pattern: path, conditions, decision: 'allow', note }))
    .find((rule) => lets(rules, rule, call));
}

/** Whether with this rule among the others the call would pass. */
function lets(rules: readonly PolicyRow[], rule: NewPolicy, call: RuledCall): boolean {
  return decide([...rules, { ...rule, id: '' }], call).decision === 'allow';
}

/** Not for a client: whoever asks says which client it is, and another one may say the same. */
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
    // It does not hold where a key with a dot in it contradicts a field of the same name.
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

/** Said to whoever saves it: a rule that looks as if it covered one call only must not cover more unsaid. */
function openFields(leftOut: string[]): string {
  if (leftOut.length === 0) return 'Fields that it does not name may have any value.';
  const names = leftOut.slice(0, maxNamesInNote).map((field) => field.slice(0, 30));
  const more = leftOut.length > names.length ? ` and ${leftOut.length - names.length} more` : '';
  return `Fields that it does not name may have any value, so here: ${names.join(', ')}${more}.`.slice(
    0,
    460,
  );
}
