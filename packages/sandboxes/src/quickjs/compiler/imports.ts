import type { Program } from 'acorn';
import { importName } from '../prelude/contract.ts';
import { nodesIn } from './nodes-in.ts';

/**
 * `import(…)` as a call of a function of the prelude, whose name is as long: the engine itself would refuse it when no line of the code is
 * running, and nobody could say where.
 */
export function replaceImports(code: string, program: Program): string {
  const pieces: string[] = [];
  let at = 0;
  for (const start of importsIn(program)) {
    pieces.push(code.slice(at, start), importName);
    at = start + importName.length;
  }
  return [...pieces, code.slice(at)].join('');
}

function importsIn(program: Program): number[] {
  const all = [...nodesIn(program)].filter(({ type }) => type === 'ImportExpression');
  return all.map(({ start }) => start).sort((one, other) => one - other);
}
