import type { Execution } from '@executor/protocol';

const maxDiagnostics = 5;
const maxCharacters = 300;

/** The type errors of code that ran anyway. If the code returned nothing, they often explain why. */
export function diagnosticsText({ id, diagnostics = [] }: Execution): string[] {
  if (diagnostics.length === 0) return [];
  const shown = diagnostics.slice(0, maxDiagnostics).map(({ message, line }) => {
    const text = message.length > maxCharacters ? `${message.slice(0, maxCharacters)}…` : message;
    return line === undefined ? text : `Line ${line}: ${text}`;
  });
  const left = diagnostics.length - shown.length;
  const more = left > 0 ? [`Run ${id} has ${left} more type errors.`] : [];
  return [['Type errors. They did not stop the run:', ...shown, ...more].join('\n')];
}
