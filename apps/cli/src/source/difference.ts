import { printable, type Source } from '@executor/protocol';
import type { Environment } from '../environment.ts';

export interface Difference {
  added: string[];
  changed: string[];
  removed: string[];
}

const shownPaths = 40;

export function countsText({ added, changed, removed }: Difference): string {
  return `${added.length} new, ${changed.length} changed, ${removed.length} removed`;
}

/** Prints how a refresh changes the tools for callers. */
export function printDifference(environment: Environment, { added, changed, removed }: Difference): void {
  printPaths(environment, '+', added);
  printPaths(environment, '~', changed);
  printPaths(environment, '-', removed);
}

export function unseenText({ namespace, unseenCount }: Pick<Source, 'namespace' | 'unseenCount'>): string {
  const need =
    unseenCount === 1
      ? '1 tool needs approval until you mark it as seen'
      : `${unseenCount} tools need approval until you mark them as seen`;
  return `${need}: executor tools ls ${namespace} --only unseen, then executor sources edit ${namespace} --seen`;
}

function printPaths(environment: Environment, mark: string, paths: string[]): void {
  for (const path of paths.slice(0, shownPaths)) environment.print(`  ${mark} ${printable(path)}`);
  if (paths.length > shownPaths)
    environment.print(`  ${mark} … and ${paths.length - shownPaths} more (--json has all)`);
}
