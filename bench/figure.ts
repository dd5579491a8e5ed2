/**
 * One measured figure. Machines are noisy, so what counts is the ratio to a baseline from the same run. `target` is the
 * maximum of that ratio, or of the value if there is no baseline. A figure for which larger is better has `atLeast`
 * instead, the minimum of the value.
 */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  baseline?: { name: string; value: number };
  target?: number;
  atLeast?: number;
  note?: string;
}

/** The figures as an aligned table, with a mark on each one that misses its target. */
export function table(figures: Figure[]): string {
  const head = ['figure', 'value', 'baseline', 'ratio', 'target', ''];
  const rows = figures.map((figure) => [
    figure.name,
    `${round(figure.value)} ${figure.unit}`,
    figure.baseline ? `${round(figure.baseline.value)} ${figure.unit} (${figure.baseline.name})` : '',
    figure.baseline ? `${round(figure.value / figure.baseline.value)}x` : '',
    targetOf(figure),
    targetOf(figure) === '' ? (figure.note ?? '') : `${meets(figure) ? 'ok' : 'MISSED'} ${figure.note ?? ''}`,
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  return [head, ...rows]
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .join('\n');
}

function targetOf({ target, atLeast, baseline, unit }: Figure): string {
  if (atLeast !== undefined) return `>= ${atLeast} ${unit}`.trimEnd();
  return target === undefined ? '' : `< ${target}${baseline ? 'x' : ` ${unit}`}`;
}

function meets({ value, baseline, target, atLeast }: Figure): boolean {
  if (atLeast !== undefined && value < atLeast) return false;
  return target === undefined || (baseline ? value / baseline.value : value) < target;
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
