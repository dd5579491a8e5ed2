import type { Definitions } from '@executor/engine';
import {
  FieldsOnCorrectTypeRule,
  FragmentsOnCompositeTypesRule,
  Kind,
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  KnownTypeNamesRule,
  OperationTypeNode,
  PossibleFragmentSpreadsRule,
  ProvidedRequiredArgumentsRule,
  print,
  ScalarLeafsRule,
  type SelectionSetNode,
  UniqueArgumentNamesRule,
  ValuesOfCorrectTypeRule,
  validate,
  visit,
} from 'graphql';
import { RequestError } from '../../call/request-error.ts';
import { cut } from '../../response/error-message.ts';
import { entryName, type TypeEntry } from '../type-entry.ts';
import { PartialSchema } from './partial-schema.ts';

/**
 * The rules of the specification that apply to a selection. The rule for fields with the same name is left to the server, because
 * its time is quadratic.
 */
const rules = [
  KnownTypeNamesRule,
  FragmentsOnCompositeTypesRule,
  FieldsOnCorrectTypeRule,
  ScalarLeafsRule,
  PossibleFragmentSpreadsRule,
  KnownDirectivesRule,
  KnownArgumentNamesRule,
  UniqueArgumentNamesRule,
  ProvidedRequiredArgumentsRule,
  ValuesOfCorrectTypeRule,
];

const maxProblems = 3;
const maxListed = 40;
const maxMessageChars = 1_500;
/** Pairs of characters of a wrong name and the known ones. Comparing them for a suggestion takes time on the thread of the server. */
const maxCompared = 1_000_000;

interface Checked {
  type: string;
  selection: SelectionSetNode;
  /** The input field, for messages. */
  field: string;
}

/** Checks a selection of a type against the schema. Throws a `RequestError` that names the wrong fields and the nearest ones. */
export function checkSelect({ type, selection, field }: Checked, definitions: Definitions): void {
  const partial = new PartialSchema(definitions);
  const schema = partial.build(type, selection, field);
  const document = {
    kind: Kind.DOCUMENT,
    definitions: [
      {
        kind: Kind.OPERATION_DEFINITION,
        operation: OperationTypeNode.QUERY,
        selectionSet: {
          kind: Kind.SELECTION_SET,
          selections: [
            { kind: Kind.FIELD, name: { kind: Kind.NAME, value: 'result' }, selectionSet: selection },
          ],
        },
      },
    ],
  } as const;
  const hideSuggestions = longestText(selection) * partial.longestList > maxCompared;
  const errors = validate(schema, document, rules, { maxErrors: maxProblems, hideSuggestions });
  if (errors.length === 0) return;
  const messages = errors
    .slice(0, maxProblems)
    .map(({ message }) => cut(`${message}${otherFields(message, definitions)}`, maxMessageChars));
  throw new RequestError(`${field}: ${messages.join(' ')} Nothing was sent.`);
}

/** The longest name or value in the selection, which may be wrong. */
function longestText(selection: SelectionSetNode): number {
  let longest = 0;
  const note = (text: string) => {
    longest = Math.max(longest, text.length);
  };
  visit(selection, { Name: ({ value }) => note(value), Argument: ({ value }) => note(print(value)) });
  return longest;
}

/** If no field has a similar name, all of them. */
function otherFields(message: string, definitions: Definitions): string {
  const [, type] = /^Cannot query field "\w+" on type "(\w+)"\.$/.exec(message) ?? [];
  const entry = type === undefined ? undefined : (definitions.get(entryName(type)) as TypeEntry | undefined);
  if (!entry || !('fields' in entry) || entry.fields.length === 0) return '';
  const names = entry.fields.map(([name]) => name);
  const more = names.length > maxListed ? `, and ${names.length - maxListed} more` : '';
  return ` Its fields are ${names.slice(0, maxListed).join(', ')}${more}.`;
}
