import { own, textOf } from '../document/json.ts';
import type { Operation } from '../operation/operations.ts';
import { plainText } from './plain-text.ts';

const longest = 1_000;

/** The description of an operation: its summary, then its description. */
export function describeOperation({ value, item, method, path }: Operation): string {
  const said = (key: string) => textOf(own(value, key))?.trim() || textOf(own(item.value, key))?.trim() || '';
  const summary = plainText(said('summary'), longest);
  const description = plainText(said('description'), longest);
  const both = description.startsWith(summary)
    ? description
    : summary === ''
      ? description
      : `${summary}\n\n${description}`;
  return plainText(both, longest) || `${method} ${path}`.slice(0, longest);
}
