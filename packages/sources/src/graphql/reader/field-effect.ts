import type { ToolRow } from '@executor/engine';
import { destroyVerbs, namesDestruction, readVerbs, writeVerbs } from '../../text/verbs.ts';
import { wordsOf } from '../../text/words.ts';

type EffectFields = Pick<ToolRow, 'effect' | 'repeatable' | 'suggestion'>;

/** Queries read and mutations write. A name can only make that stricter, or suggest something looser to a user. */
export function effectOfField(operation: 'query' | 'mutation', field: string): EffectFields {
  const name = wordsOf(field).map((word) => word.toLowerCase());
  const [first = ''] = name;
  if (operation === 'query')
    // The specification forbids such a query, but a server may have it. `drop` alone is a noun.
    return name.length > 1 && destroyVerbs.has(first)
      ? { effect: 'destructive', repeatable: false }
      : { effect: 'read', repeatable: true };
  if (!writeVerbs.has(first) && namesDestruction(name)) return { effect: 'destructive', repeatable: false };
  const suggestion = readVerbs.has(first) && {
    effect: 'read' as const,
    repeatable: true,
    why: `It is a mutation, but its name says “${first}”, so it seems to be read-only.`,
  };
  return { effect: 'write', repeatable: false, ...(suggestion && { suggestion }) };
}
