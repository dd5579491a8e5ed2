import type { Expression, Node } from 'typescript/unstable/ast';
import { type Project, type Type, TypeFlags } from 'typescript/unstable/async';
import type { LiteralForm } from './literal-form.ts';

type Checker = Project['checker'];

/**
 * Whether the expected type can have the kind of value in the code: a list is never a string, whatever it contains.
 * Other expressions are unknown and count as possible.
 */
export async function mayBeExpected(value: Node, form: LiteralForm, checker: Checker): Promise<boolean> {
  const kind = form === 'whole object' ? 'object' : form;
  if (kind !== 'object' && kind !== 'list' && kind !== 'text') return true;
  const expected = await checker.getContextualType(value as Expression);
  return expected === undefined || accepts(expected, kind, checker);
}

type Kind = 'object' | 'list' | 'text';

/** Whether a value of this kind can have the type. */
export async function accepts(type: Type, kind: Kind, checker: Checker): Promise<boolean> {
  if (type.isUnionType()) return some(await type.getTypes(), (one) => accepts(one, kind, checker));
  if (type.isIntersectionType())
    return !(await some(await type.getTypes(), async (one) => !(await accepts(one, kind, checker))));
  if (type.flags & texts) return kind === 'text';
  if (type.flags & otherPrimitives) return false;
  if (!type.isObjectType()) return true;
  if (kind === 'text') return false;
  const isList = await checker.isArrayLikeType(type);
  return isList === (kind === 'list');
}

const texts = TypeFlags.StringLike;
const otherPrimitives = TypeFlags.Primitive & ~TypeFlags.StringLike;

async function some<One>(
  all: readonly One[] | undefined,
  matches: (one: One) => Promise<boolean>,
): Promise<boolean> {
  for (const one of all ?? []) if (await matches(one)) return true;
  return false;
}
