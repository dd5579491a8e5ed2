import { printable, type Source } from '@executor/protocol';
import { self } from '../output.ts';

export interface Difference {
  added: string[];
  changed: string[];
  removed: string[];
}

const shownPaths = 40;

export function countsText({ added, changed, removed }: Difference): string {
  return `${added.length} new, ${changed.length} changed, ${removed.length} gone`;
}

/** What another reading of a document means for callers. */
export function printDifference({ added, changed, removed }: Difference): void {
  printPaths('+', added);
  printPaths('~', changed);
  printPaths('-', removed);
}

export function unseenText({ namespace, unseenCount }: Pick<Source, 'namespace' | 'unseenCount'>): string {
  return `${unseenCount} of its tools need approval until you have looked: ${self} tools ls ${namespace} --only unseen, then ${self} sources edit ${namespace} --seen`;
}

function printPaths(mark: string, paths: string[]): void {
  for (const path of paths.slice(0, shownPaths)) console.log(`  ${mark} ${printable(path)}`);
  if (paths.length > shownPaths)
    console.log(`  ${mark} … and ${paths.length - shownPaths} more (--json has all)`);
}
