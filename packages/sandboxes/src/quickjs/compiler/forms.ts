/**
 * The forms of submitted code, each as a function around it. The text before the code is on its first line, and replacements keep their
 * length, so that positions stay valid.
 */
export interface Form {
  before: string;
  code: string;
  after: string;
}

export function expressionForm(source: string): Form | undefined {
  const code = source.slice(0, endOfExpression(source));
  return code.trim() === '' ? undefined : { before: '(async () => (', code, after: '\n))' };
}

export function statementsForm(source: string): Form {
  return { before: '(async () => {', code: source, after: '\n})' };
}

/** A loop, because a pattern would scan every run of blanks again. */
function endOfExpression(source: string): number {
  let end = source.length;
  while (end > 0 && /[;\s]/.test(source.charAt(end - 1))) end -= 1;
  return end;
}
