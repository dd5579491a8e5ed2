import { GraphQLError, Kind, parse, print, type SelectionSetNode, visit } from 'graphql';
import { RequestError } from '../../call/request-error.ts';
import { cut } from '../../response/error-message.ts';

const maxChars = 32 * 1024;
/** Checking takes time for each token, on the thread of the server. */
const maxTokens = 2_000;
const maxDepth = 15;

/** The selection that an input asks for: `id owner { login }`, with or without braces around it. Throws a `RequestError`. */
export function parseSelect(text: string, field: string): SelectionSetNode {
  const inner = /^\s*\{/.test(text) ? text : `{${text}\n}`;
  if (text.length > maxChars)
    throw new RequestError(`${field} is longer than ${maxChars} characters. ${advice}`);
  try {
    const { definitions } = parse(inner, { noLocation: true, maxTokens });
    const [definition, ...others] = definitions;
    if (definition?.kind !== Kind.OPERATION_DEFINITION || others.length > 0 || definition.name)
      throw new RequestError(`${field} is one selection of fields, such as: id owner { login }. ${advice}`);
    checkParts(definition.selectionSet, field);
    return definition.selectionSet;
  } catch (error) {
    if (error instanceof RangeError) throw new RequestError(`${field} is nested too deeply. ${advice}`);
    if (!(error instanceof GraphQLError)) throw error;
    throw new RequestError(`${field} is not a valid selection: ${cut(error.message, 500)} ${advice}`);
  }
}

const advice = 'Nothing was sent.';

function checkParts(selection: SelectionSetNode, field: string): void {
  let depth = 0;
  visit(selection, {
    SelectionSet: {
      enter() {
        depth += 1;
        if (depth > maxDepth)
          throw new RequestError(`${field} is nested deeper than ${maxDepth} levels. ${advice}`);
      },
      leave() {
        depth -= 1;
      },
    },
    FragmentSpread({ name }) {
      throw new RequestError(
        `${field} cannot use the fragment ${name.value}. Write its fields in place: ... on TYPE { field }. ${advice}`,
      );
    },
    Variable({ name }) {
      throw new RequestError(`${field} cannot use the variable $${name.value}. Write its value. ${advice}`);
    },
  });
}

/** A selection without its outer braces. */
export function writeSelection(selection: SelectionSetNode): string {
  return print(selection).slice(1, -1).trim();
}
