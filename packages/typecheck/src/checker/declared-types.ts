import type { TypeNode } from 'typescript/unstable/ast';
import { isPropertySignatureDeclaration } from 'typescript/unstable/ast/is';
import type { Project, Type } from 'typescript/unstable/async';
import { accepts } from './accepts.ts';
import type { LiteralField } from './fields-above.ts';
import { toolsFile } from './virtual-files.ts';

type Checker = Project['checker'];

/**
 * The declarations of a field in each possible type of its object. Empty if one of these types does not declare it,
 * because that type accepts anything. Asking TypeScript for the union would return only what the other types declare.
 */
export async function declaredTypes({ object, name }: LiteralField, checker: Checker): Promise<TypeNode[]> {
  const expected = await checker.getContextualType(object);
  const found: TypeNode[] = [];
  for (const type of expected ? await choicesOf(expected) : []) {
    if (!(await accepts(type, 'object', checker))) continue;
    const declared = await declaredType(type, name, checker);
    if (declared === undefined) return [];
    found.push(declared);
  }
  return found;
}

/** Whether the type inside a field is known: in a union, another member may accept anything there. */
export async function isDeclaredByAll(field: LiteralField, checker: Checker): Promise<boolean> {
  const expected = await checker.getContextualType(field.object);
  return !expected?.isUnionType() || (await declaredTypes(field, checker)).length > 0;
}

async function choicesOf(type: Type): Promise<readonly Type[]> {
  return type.isUnionType() ? type.getTypes() : [type];
}

/** Its declaration, if a tool declares it exactly once. */
async function declaredType(type: Type, name: string, checker: Checker): Promise<TypeNode | undefined> {
  const property = await checker.getPropertyOfType(type, name);
  const [declared, ...others] = property?.declarations ?? [];
  if (declared?.path !== toolsFile || others.length > 0) return undefined;
  const node = await declared.resolve();
  return node && isPropertySignatureDeclaration(node) ? node.type : undefined;
}
