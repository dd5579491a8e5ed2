import { blankRanges, type Range } from './blank.ts';

/**
 * Blanks imports of types only, because no function may contain them. A loop is used instead of patterns over several lines, which hostile
 * source code could make very slow.
 */
export function blankTypeImports(source: string): string {
  const ranges: Range[] = [];
  for (const { index: start } of source.matchAll(/^[ \t]*import\b/gm)) {
    const end = start < (ranges.at(-1)?.end ?? 0) ? undefined : endOfImport(source, start);
    if (end !== undefined && isOfTypes(source.slice(start, end))) ranges.push({ start, end });
  }
  return blankRanges(source, ranges);
}

const maxLength = 1_000;

/** Where an import statement ends. */
function endOfImport(source: string, start: number): number | undefined {
  const [whole] =
    /^[^"';]*(?:"[^"\n]*"|'[^'\n]*')[ \t]*;?/.exec(source.slice(start, start + maxLength)) ?? [];
  return whole === undefined ? undefined : start + whole.length;
}

function isOfTypes(statement: string): boolean {
  if (/^\s*import\s+type\s(?!\s*from\b)/.test(statement)) return true;
  const [, names] = /^\s*import\s*\{([^}]*)\}/.exec(statement) ?? [];
  const each = names?.split(',').filter((name) => name.trim() !== '') ?? [];
  return each.length > 0 && each.every((name) => /^\s*type\s/.test(name));
}
