import type { Node, ObjectLiteralExpression, PropertyAssignment } from 'typescript/unstable/ast';
import {
  isCallExpression,
  isIdentifier,
  isPropertyAssignment,
  isStringLiteral,
} from 'typescript/unstable/ast/is';
import { literalForm } from './literal-form.ts';

/** A field of an object literal. */
export interface LiteralField {
  object: ObjectLiteralExpression;
  name: string;
}

/**
 * The fields around a value, from the nearest to the argument of a call. Empty if the value may not reach the argument:
 * any expression other than object and list literals may change it, and a spread may overwrite it.
 */
export function fieldsAbove(value: Node): LiteralField[] {
  const fields: LiteralField[] = [];
  for (let node = value.parent; !isCallExpression(node); node = node.parent) {
    const field = isPropertyAssignment(node) ? fieldOf(node) : undefined;
    if (field) fields.push(field);
    else if (!literals.includes(literalForm(node))) return [];
  }
  return fields;
}

const literals = ['whole object', 'list'];

function fieldOf({ name, parent }: PropertyAssignment): LiteralField | undefined {
  if (!isIdentifier(name) && !isStringLiteral(name)) return undefined;
  return { object: parent as ObjectLiteralExpression, name: name.text };
}
