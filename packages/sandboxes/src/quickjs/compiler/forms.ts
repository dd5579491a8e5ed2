/**
 * The shapes in which code is submitted, each as a function around it. What is put before the code stays on its first line
 * and what is replaced inside keeps its length, so that positions hold.
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

/** By hand: a pattern would look at every run of blanks anew. */
function endOfExpression(source: string): number {
  let end = source.length;
  while (end > 0 && /[;\s]/.test(source.charAt(end - 1))) end -= 1;
  return end;
}
