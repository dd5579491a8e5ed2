import ts from 'typescript-5';
import type { StripFailure, Stripped } from '../compiler/strip.ts';

/** Rewrites syntax that the engine does not support, removes types, and returns a source map. */
export function lower(text: string): Stripped | StripFailure {
  const refused: StripFailure[] = [];
  const { outputText, sourceMapText, diagnostics } = ts.transpileModule(text, {
    fileName: 'code.ts',
    reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      sourceMap: true,
      verbatimModuleSyntax: true,
    },
    transformers: { before: [() => (file) => refuseOnParameters(file, refused)] },
  });
  const [failure] = [...(diagnostics ?? []).flatMap(asFailure), ...refused];
  if (failure) return failure;
  const code = outputText.replace(/\/\/# sourceMappingURL=.*\s*$/, '').replace(/;\s*$/, '');
  return { type: 'stripped', code, map: { map: JSON.parse(sourceMapText ?? '{}').mappings } };
}

function asFailure({ file, start = 0, messageText }: ts.Diagnostic): StripFailure[] {
  return file ? [failureAt(file, start, ts.flattenDiagnosticMessageText(messageText, ' '))] : [];
}

function failureAt(file: ts.SourceFile, start: number, message: string): StripFailure {
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  return { type: 'failed', message, line: line + 1, column: character + 1 };
}

/** Parameter decorators are not part of the language, and the compiler would drop them silently. */
function refuseOnParameters(file: ts.SourceFile, refused: StripFailure[]): ts.SourceFile {
  const visit = (node: ts.Node): void => {
    const [decorator] = ts.isParameter(node) ? (ts.getDecorators(node) ?? []) : [];
    if (decorator) refused.push(failureAt(file, decorator.getStart(file), onParameters));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return file;
}

const onParameters =
  'A parameter cannot have a decorator: JavaScript has them on classes and their members only.';
