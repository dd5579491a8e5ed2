import type { Node, ObjectLiteralExpression, PropertyAssignment } from 'typescript/unstable/ast';
import {
  isCallExpression,
  isIdentifier,
  isPropertyAssignment,
  isStringLiteral,
} from 'typescript/unstable/ast/is';
import { writtenAs } from './written.ts';

/** A field of an object, as it is written. */
export interface WrittenField {
  object: ObjectLiteralExpression;
  name: string;
}

/**
 * The fields that a value stands in, from the nearest to that of what a call is given. None where it may not get there: anything but objects
 * and lists may make another value of it, and what is spread into an object may take its place.
 */
export function fieldsAbove(value: Node): WrittenField[] {
  const fields: WrittenField[] = [];
  for (let node = value.parent; !isCallExpression(node); node = node.parent) {
    const field = isPropertyAssignment(node) ? fieldOf(node) : undefined;
    if (field) fields.push(field);
    else if (!literals.includes(writtenAs(node))) return [];
  }
  return fields;
}

const literals = ['whole object', 'list'];

function fieldOf({ name, parent }: PropertyAssignment): WrittenField | undefined {
  if (!isIdentifier(name) && !isStringLiteral(name)) return undefined;
  return { object: parent as ObjectLiteralExpression, name: name.text };
}
