import type { Program } from '@executor/engine';
import type { ExpressionStatement, Program as Tree } from 'acorn';
import { originalPosition } from '../run/source-position.ts';
import { replaceImports } from './imports.ts';
import { findKnownPositions, type KnownPositions } from './known-positions.ts';
import { nodesIn } from './nodes-in.ts';
import { type Position, parseScript, positionOf } from './parse.ts';

export type ReadProgram =
  | { type: 'read'; program: Program }
  /** A bracket of the code closes the function around it, and what follows would run outside of it. */
  | { type: 'closed'; at: Position };

/** Completes a program with what can be told of it only by reading it, as far as this parser can. From `end` on, its code is ours. */
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

/** They only make errors clearer: code that leads further than can be followed runs without them. */
function knownPositions(program: Tree): KnownPositions {
  try {
    return findKnownPositions(program);
  } catch {
    return {};
  }
}

/** Where the function around the code ends, if it is not all that there is. Variables before it are what rewritten code needs. */
function endWithin({ body }: Tree, rewritten: boolean): number | undefined {
  const first = rewritten ? body.findIndex(({ type }) => type !== 'VariableDeclaration') : 0;
  const own = body.slice(first) as ExpressionStatement[];
  if (own.length === 1 && own[0]?.expression?.type === arrow) return undefined;
  const functions = [...nodesIn(own)].filter(({ type }) => type === arrow);
  const end = functions.sort((one, other) => one.start - other.start)[0]?.end;
  return end === undefined ? 0 : end - 1;
}

const arrow = 'ArrowFunctionExpression';
