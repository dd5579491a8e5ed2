import { type CodeError, type Compilation, codeExcerpt } from '@executor/engine';
import { blankRanges } from './blank.ts';
import { fencedCode, isProse } from './fence.ts';
import { expressionForm, type Form, statementsForm } from './forms.ts';
import { defaultName, moduleBody } from './module.ts';
import { type Position, positionOf } from './parse.ts';
import { readProgram } from './read-program.ts';
import { returnMeant } from './returned.ts';
import { type Lower, type StripFailure, strip, stripTypes } from './strip.ts';
import { blankTypeImports } from './type-imports.ts';

/**
 * Compiles TypeScript as models write it to one JavaScript expression: an async function that the sandbox calls. Forms are tried in turn,
 * the most specific first. If none accepts the code, the error is that of the most similar form.
 */
export function compile(submitted: string, lower: Lower): Compilation {
  const fenced = fencedCode(submitted);
  if (!fenced) return compileCode(submitted, submitted, lower);
  if (isProse(fenced.before)) return compileCode(submitted, fenced.code, lower);
  // The text before the fence may be prose with brackets, or code with a template literal that looks like a fence.
  const whole = compileCode(submitted, submitted, lower);
  if (whole.type === 'compiled') return whole;
  const inside = compileCode(submitted, fenced.code, lower);
  return inside.type === 'compiled' ? inside : whole;
}

type Compiled = Extract<Compilation, { type: 'compiled' }>;

function compileCode(submitted: string, code: string, lower: Lower): Compilation {
  const source = blankTypeImports(code.replace(/^#!.*/, (line) => ' '.repeat(line.length)));
  const expression = expressionForm(source);
  const lone = expression && strip(textOf(expression), lower);
  const alone = lone?.type === 'stripped' && compiled(submitted, expression as Form, lone);
  if (alone && alone.type === 'compiled') return alone;
  const statements = compileStatements(submitted, source, lower);
  if (statements.type === 'compiled') return statements;
  return compileModule(submitted, source, lower) ?? statements;
}

function compileStatements(submitted: string, source: string, lower: Lower): Compilation {
  const form = statementsForm(source);
  const stripped = strip(textOf(form), lower);
  if (stripped.type === 'failed') {
    const failure = explain(source, inSource(form, stripped));
    return rejected(submitted, failure.message, failure);
  }
  const returning = returnMeant(stripped.code);
  if (!('type' in returning)) return compiled(submitted, form, { ...stripped, ...returning });
  // The engine decides about code that only this parser rejects, except where the engine's message says too little.
  const message = explainLate(returning.message);
  const position = { ...returning.position };
  if (position.line === 1) position.column -= form.before.length;
  return message && !stripped.map.map
    ? rejected(submitted, message, position)
    : compiled(submitted, form, stripped);
}

function compileModule(submitted: string, source: string, lower: Lower): Compilation | undefined {
  if (!/^[ \t]*(export|import)\b/m.test(source)) return undefined;
  const stripped = strip(source, lower);
  if (stripped.type === 'failed') return undefined;
  const body = moduleBody(stripped.code);
  if (body.type === 'none') return undefined;
  const mapped = stripped.map.map !== undefined;
  if (body.type === 'import')
    return rejected(submitted, noModules, mapped ? firstImport(source) : positionOf(source, body.start));
  const before = `(async () => { let ${defaultName};`;
  const after = `\nreturn ${body.result}\n})`;
  // With a map, the body starts on a line of its own, and the map is moved down by one line.
  if (mapped) {
    const program = { code: `${before}\n${body.code}${after}`, map: { map: `;${stripped.map.map}` } };
    return compiled(submitted, { before: '', code: '', after }, program);
  }
  const typescript = blankRanges(source, body.blanked);
  const form = { before, code: typescript.replace(/^([ \t]*)export(?=\s)/gm, '$1      '), after };
  return compiled(submitted, form, { code: before + body.code + after, map: {} });
}

function compiled(
  submitted: string,
  form: Form,
  program: Pick<Compiled['program'], 'code' | 'inserted'> & { map: { map?: string } },
): Compilation {
  const { code, map, inserted } = program;
  const positions = {
    source: submitted,
    code,
    head: form.before.length,
    drains: true as const,
    ...map,
    ...(inserted && { inserted }),
  };
  const read = readProgram(positions, code.length - form.after.length);
  if (read.type === 'closed') return rejected(submitted, closesTooMuch, read.at);
  return {
    type: 'compiled',
    program: read.program,
    // Only code that names tools is type-checked.
    ...(form.code.includes('tools') && { typescript: textOf(form) }),
  };
}

function textOf({ before, code, after }: Form): string {
  return before + code + after;
}

function inSource({ before }: Form, failure: StripFailure): StripFailure {
  const column = failure.line === 1 ? Math.max(1, failure.column - before.length) : failure.column;
  return { ...failure, column };
}

/**
 * Explains a failure. An extra bracket closes the function around the code, and a missing one leaves it open, so the parser reports our
 * text. Parsing the code alone gives a better error, unless it fails earlier at a `return`, which is only allowed in a function.
 */
function explain(source: string, failure: StripFailure): StripFailure {
  if (source.trim() === '') return { ...failure, message: 'There is no code.', line: 1, column: 1 };
  const imported = firstImport(source);
  if (imported?.line === failure.line) return { ...failure, message: noModules, ...imported };
  const alone = stripTypes(source);
  const best = alone.type === 'failed' && !alone.message.startsWith('Return statement') ? alone : failure;
  const lines = source.trimEnd().split('\n');
  const line = Math.min(best.line, lines.length);
  const end = (lines[line - 1]?.length ?? 0) + 1;
  const column = best.line > lines.length ? end : Math.min(best.column, end);
  const message = best.message.replace("'<eof>'", 'the end of the code: is a bracket missing?');
  return { ...best, message, line, column };
}

/** Messages for errors that the engine reports without a position, or unclearly. */
function explainLate(message: string): string | undefined {
  if (message.startsWith('Invalid regular expression')) return message;
  return undefined;
}

function firstImport(source: string): Position | undefined {
  const found = /^[ \t]*(?=import\b(?!\s*[(.]))/m.exec(source);
  return found ? positionOf(source, found.index + found[0].length) : undefined;
}

const closesTooMuch = 'This bracket closes more than the code opens.';
const noModules =
  'import is not available in the sandbox: there are no modules. Use the globals and tools.*; tools.discover({ query }) finds them.';

function rejected(submitted: string, message: string, at: Position | undefined): Compilation {
  const { line, column } = at ?? { line: 1, column: 1 };
  const error: CodeError = { name: 'SyntaxError', message, reason: 'syntax' };
  return { type: 'rejected', error: { ...error, ...codeExcerpt(submitted, { line, column }) } };
}
