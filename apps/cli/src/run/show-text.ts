import { printable } from '@executor/protocol';

/** Tells a person something beside the result. */
export function showText(text: string): void {
  console.error(printable(text));
}
