import type { Program } from '@executor/engine';
import type { ExpressionStatement, Program as Tree } from 'acorn';
import { originalPosition } from '../source-position.ts';
import { replaceImports } from './imports.ts';
import { type Position, parseScript, positionOf } from './parse.ts';
import { type Places, placesOf } from './places.ts';

export type ReadProgram =
  | { type: 'read'; program: Program }
  /** A bracket of the code closes the function around it, and what follows would run outside of it. */
  | { type: 'closed'; at: Position };

/** Completes a program with what can be told of it only by reading it, as far as this parser can. From `end` on, its code is ours. */
export function readProgram(program: Program, end: number): ReadProgram {
  const parsed = parseScript(program.code);
  if (parsed.type !== 'parsed') return { type: 'read', program };
  const place = (at: number) => originalPosition(program, positionOf(program.code, at));
  const closedAt = endOfFirst(parsed.program, program.map !== undefined);
  if (closedAt !== undefined) return { type: 'closed', at: place(closedAt) };
  const { result, wait } = knownPlaces(parsed.program);
  const places = {
    ...(result !== undefined && result < end && { result: place(result) }),
    ...(wait !== undefined && { wait: place(wait) }),
  };
  const code = program.code.includes('import') ? replaceImports(program.code, parsed.program) : program.code;
  return {
    type: 'read',
    program: { ...program, code, ...(Object.keys(places).length > 0 && { places }) },
  };
}

/** They only make errors clearer: code that leads further than can be followed runs without them. */
function knownPlaces(program: Tree): Places {
  try {
    return placesOf(program);
  } catch {
    return {};
  }
}

/** Where the first of several functions ends. Variables before it are what rewritten code needs. */
function endOfFirst({ body }: Tree, rewritten: boolean): number | undefined {
  const own = rewritten ? body.filter(({ type }) => type !== 'VariableDeclaration') : body;
  const [first, second] = own;
  return second && first ? (first as ExpressionStatement).expression.end - 1 : undefined;
}
