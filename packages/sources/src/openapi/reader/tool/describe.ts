import { own, textOf } from '../../../document/json.ts';
import { plainText } from '../../../text/plain-text.ts';
import type { Operation } from '../operation/operations.ts';

const maxChars = 1_000;

/** The description of an operation: its summary, then its description. */
export function describeOperation({ value, item, method, path }: Operation): string {
  const textFor = (key: string) =>
    textOf(own(value, key))?.trim() || textOf(own(item.value, key))?.trim() || '';
  const summary = plainText(textFor('summary'), maxChars);
  const description = plainText(textFor('description'), maxChars);
  const combined = description.startsWith(summary)
    ? description
    : summary === ''
      ? description
      : `${summary}\n\n${description}`;
  return plainText(combined, maxChars) || `${method} ${path}`.slice(0, maxChars);
}
