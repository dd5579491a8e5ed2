import type { Environment } from '../environment.ts';
import { choose } from './prompts.ts';

/** The rows of the question below a page. */
const roomForQuestion = 6;

/** Shows lines one screen at a time. Returns whether the user read to the end. */
export async function showInPages(
  environment: Environment,
  lines: string[],
  signal?: AbortSignal,
): Promise<boolean> {
  const { rows = 24, columns = 80 } = environment.stderr;
  const pages = pagesOf(lines, { rows: rows - roomForQuestion, columns });
  for (const [index, page] of pages.entries()) {
    environment.stderr.write(`${page.join('\n')}\n`);
    const left = pages.length - index - 1;
    if (left > 0 && !(await goesOn(environment, left, signal))) return false;
  }
  return true;
}

async function goesOn(
  environment: Environment,
  left: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const message = left === 1 ? '1 more page' : `${left} more pages`;
  const chosen = await choose(environment, { message, signal }, [
    { value: 'more', label: 'Show the next' },
    { value: 'stop', label: 'Stop here' },
  ]);
  return chosen === 'more';
}

/** Divides lines into screens. A line wider than the screen takes several rows. */
export function pagesOf(lines: string[], { rows, columns }: { rows: number; columns: number }): string[][] {
  const height = Math.max(1, rows);
  const width = Math.max(1, columns);
  const broken = lines.flatMap((line) => line.split('\n')).flatMap((line) => rowsOf(line, width));
  return Array.from({ length: Math.ceil(broken.length / height) }, (_, page) =>
    broken.slice(page * height, (page + 1) * height),
  );
}

function rowsOf(line: string, width: number): string[] {
  const characters = [...line];
  return Array.from({ length: Math.max(1, Math.ceil(characters.length / width)) }, (_, row) =>
    characters.slice(row * width, (row + 1) * width).join(''),
  );
}
