import { type CodeError, type Compilation, placeInCode } from '@executor/engine';
import { unfence } from './fence.ts';
import { describeImport, type Form, forms } from './forms.ts';
import { type StripFailure, strip } from './strip.ts';

/**
 * TypeScript as models write it, to one JavaScript expression: an async function that the sandbox calls. Forms are tried in
 * turn, the most particular first; what none accepts is reported by the one that it resembles most.
 */
export function compile(submitted: string): Compilation {
  const source = unfence(submitted);
  let failure: { form: Form; failure: StripFailure } | undefined;
  for (const form of forms(source)) {
    const stripped = strip(form);
    if (stripped.type === 'stripped') {
      return {
        type: 'compiled',
        program: { source: submitted, code: stripped.code, head: form.before.length, ...stripped.map },
        // Only code that names tools has types that anybody checks.
        ...(form.code.includes('tools') && { typescript: form.before + form.code + form.after }),
      };
    }
    failure = { form, failure: stripped };
  }
  return { type: 'rejected', error: syntaxError(submitted, source, failure) };
}

function syntaxError(
  submitted: string,
  source: string,
  found?: { form: Form; failure: StripFailure },
): CodeError {
  const imported = describeImport(source);
  if (imported) return { ...imported.error, ...placeInCode(submitted, imported.position) };
  const { message, line, column } = found?.failure ?? { message: 'There is no code.', line: 1, column: 1 };
  const position = {
    line,
    column: line === 1 ? Math.max(1, column - (found?.form.before.length ?? 0)) : column,
  };
  return { name: 'SyntaxError', message, reason: 'syntax', ...placeInCode(submitted, position) };
}
