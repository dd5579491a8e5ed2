/**
 * Extracts code from Markdown. Text around it is blanked, not cut, so that line numbers stay the same. Several fences form one program,
 * because models write in steps.
 */
export function fencedCode(text: string): { code: string; before: string } | undefined {
  const lines = text.split('\n');
  const fences = findFences(lines);
  const [first] = fences;
  if (!first) return undefined;
  const labelled = fences.filter(({ language }) => languages.test(language));
  const chosen = labelled.length > 0 ? labelled : fences.filter(({ language }) => language === '');
  const kept = new Set(chosen.flatMap(({ from, to }) => range(from, to)));
  return {
    code: lines.map((line, number) => (kept.has(number) ? line : ' '.repeat(line.length))).join('\n'),
    before: lines.slice(0, first.from - 1).join('\n'),
  };
}

/** Whether the text before a fence is surely prose. Backticks may also open a template literal, so any sign of code counts against it. */
export function isProse(before: string): boolean {
  return !/[;={}()`]/.test(before);
}

const languages = /^(ts|tsx|mts|typescript|js|jsx|mjs|javascript|node)\b/i;

/** Lines `from` to `to`, without the last. A fence that is never closed extends to the end. */
interface Fence {
  language: string;
  from: number;
  to: number;
}

function findFences(lines: string[]): Fence[] {
  const fences: Fence[] = [];
  let open: { mark: string; fence: Fence } | undefined;
  for (const [number, line] of lines.entries()) {
    if (!open) open = openingOf(line, number, lines.length);
    else if (closes(line, open.mark)) {
      fences.push({ ...open.fence, to: number });
      open = undefined;
    }
  }
  return open ? [...fences, open.fence] : fences;
}

function openingOf(line: string, number: number, end: number): { mark: string; fence: Fence } | undefined {
  const [, mark, info] = /^[ \t]{0,8}(`{3,64}|~{3,64})([^`]{0,200})$/.exec(line) ?? [];
  if (mark === undefined || info === undefined) return undefined;
  return { mark, fence: { language: info.trim(), from: number + 1, to: end } };
}

function closes(line: string, mark: string): boolean {
  const signs = line.trim();
  return signs.length >= mark.length && signs.length <= 64 && signs === mark.charAt(0).repeat(signs.length);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, step) => from + step);
}
