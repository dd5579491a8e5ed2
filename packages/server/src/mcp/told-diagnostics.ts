import type { Execution } from '@executor/protocol';

const most = 5;
const maxCharacters = 300;

/** What the types say of code that ran all the same: where it got nothing, this is often why. */
export function diagnosticsOf({ id, diagnostics = [] }: Execution): string[] {
  if (diagnostics.length === 0) return [];
  const shown = diagnostics.slice(0, most).map(({ message, line }) => {
    const said = message.length > maxCharacters ? `${message.slice(0, maxCharacters)}…` : message;
    return line === undefined ? said : `Line ${line}: ${said}`;
  });
  const left = diagnostics.length - shown.length;
  const more = left > 0 ? [`${left} more are with the run ${id}.`] : [];
  return [['Types, which did not stop the run:', ...shown, ...more].join('\n')];
}
