import type { SelectedField, Selection } from './default-selection.ts';

/** A selection in GraphQL, without its outer braces. */
export function selectionText({ typename, fields, fragments }: Selection): string {
  return [
    ...(typename ? ['__typename'] : []),
    ...fields.map(fieldText),
    ...fragments.map(({ on, fields: own }) => `... on ${on.name} { ${own.map(fieldText).join(' ')} }`),
  ].join(' ');
}

function fieldText({ field, selection }: SelectedField): string {
  return selection ? `${field.name} { ${selectionText(selection)} }` : field.name;
}
