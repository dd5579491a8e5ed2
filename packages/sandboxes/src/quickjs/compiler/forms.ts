import type { CodeError } from '@executor/engine';

/**
 * The shapes in which code is submitted, each as a function around it. What is put before the code stays on its first line
 * and what is replaced inside keeps its length, so that positions hold.
 */
export interface Form {
  before: string;
  code: string;
  after: string;
}

export function forms(source: string): Form[] {
  const expression = source.replace(/[;\s]+$/, '');
  const statements = { before: '(async () => {', code: source, after: '\n})' };
  return [
    ...(expression === '' ? [] : [{ before: '(async () => (', code: expression, after: '\n))' }]),
    statements,
    ...(hasExports.test(source) ? [moduleForm(source)] : []),
  ];
}

/** What to say of a static import, which no form accepts. */
export function describeImport(source: string): { error: CodeError; position: Position } | undefined {
  const found = /^[ \t]*import\b(?!\s*\()(?!\s+type\b)[^\n]*/m.exec(source);
  if (!found) return undefined;
  const before = source.slice(0, found.index + found[0].indexOf('import'));
  const message =
    'import is not available in the sandbox: there are no modules. Use the globals and tools.*; tools.discover({ query }) finds them.';
  const lines = before.split('\n');
  return {
    error: { name: 'SyntaxError', message, reason: 'syntax' },
    position: { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 },
  };
}

export interface Position {
  line: number;
  column: number;
}

const hasExports = /^[ \t]*(export|import\s+type)\b/m;
const defaultName = '$default';

/** A module: its default export, called if it is a function, is the result. */
function moduleForm(source: string): Form {
  const named = /^([ \t]*)export default(\s+(?:async\s+)?(?:function\s*\*?|class)\s+([\w$]+))/m.exec(source);
  const code = source
    .replace(/^[ \t]*import\s+type\b[^\n]*/gm, (line) => ' '.repeat(line.length))
    .replace(/^([ \t]*)export default\b/gm, named ? '$1              ' : `$1${defaultName}=     `)
    .replace(/^([ \t]*)export(?=\s*\{[^}]*\}\s*;?[ \t]*$)/gm, '$1void   ')
    .replace(/^([ \t]*)export\b/gm, '$1      ');
  return {
    before: `(async () => { let ${defaultName};`,
    code,
    after: `\nreturn ${named ? named[3] : defaultName}\n})`,
  };
}
