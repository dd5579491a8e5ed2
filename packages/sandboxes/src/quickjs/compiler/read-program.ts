import type { Program } from '@executor/engine';
import type { ExpressionStatement, Program as Tree } from 'acorn';
import { importName } from '../prelude/contract.ts';
import { originalPosition } from '../run/source-position.ts';
import { findKnownPositions, type KnownPositions } from './known-positions.ts';
import { nodesIn } from './nodes-in.ts';
import { type Position, parseScript, positionOf } from './parse.ts';

export type ReadProgram =
  | { type: 'read'; program: Program }
  /** A bracket of the code closes the function around it, so the code after it would run outside the function. */
  | { type: 'closed'; at: Position };

/** Adds the facts that need a parse, as far as this parser can read the code. The text from `end` on was added by the compiler. */
export function readProgram(program: Program, end: number): ReadProgram {
  const parsed = parseScript(program.code);
  if (parsed.type !== 'parsed') return { type: 'read', program };
  const mapped = (at: number) => originalPosition(program, positionOf(program.code, at));
  const closedAt = endWithin(parsed.program, program.map !== undefined);
  if (closedAt !== undefined) return { type: 'closed', at: mapped(closedAt) };
  const { result, wait } = knownPositions(parsed.program);
  const places = {
    ...(result !== undefined && result < end && { result: mapped(result) }),
    ...(wait !== undefined && { wait: mapped(wait) }),
  };
  const code = program.code.includes('import') ? replaceImports(program.code, parsed.program) : program.code;
  return {
    type: 'read',
    program: { ...program, code, ...(Object.keys(places).length > 0 && { places }) },
  };
}

/** Known positions only make errors clearer. Code that is too complex to follow runs without them. */
function knownPositions(program: Tree): KnownPositions {
  try {
    return findKnownPositions(program);
  } catch {
    return {};
  }
}

/** Where the function around the code ends, if more statements follow. Variable declarations before it belong to rewritten code. */
function endWithin({ body }: Tree, rewritten: boolean): number | undefined {
  const first = rewritten ? body.findIndex(({ type }) => type !== 'VariableDeclaration') : 0;
  const own = body.slice(first) as ExpressionStatement[];
  if (own.length === 1 && own[0]?.expression?.type === arrow) return undefined;
  const functions = [...nodesIn(own)].filter(({ type }) => type === arrow);
  const end = functions.sort((one, other) => one.start - other.start)[0]?.end;
  return end === undefined ? 0 : end - 1;
}

const arrow = 'ArrowFunctionExpression';

/**
 * Replaces `import(…)` by a call of a prelude function whose name has the same length. The engine would reject an import when no line of
 * the code is running, so the error would have no position.
 */
function replaceImports(code: string, program: Tree): string {
  const pieces: string[] = [];
  let at = 0;
  for (const start of importsIn(program)) {
    pieces.push(code.slice(at, start), importName);
    at = start + importName.length;
  }
  return [...pieces, code.slice(at)].join('');
}

function importsIn(program: Tree): number[] {
  const all = [...nodesIn(program)].filter(({ type }) => type === 'ImportExpression');
  return all.map(({ start }) => start).sort((one, other) => one - other);
}
