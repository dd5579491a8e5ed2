/** Rows are links with the id of their question. Keys act on the focused row. */
const rows = '[data-interaction]';

export function moveFocus(list: HTMLElement | null, step: 1 | -1): void {
  const all = [...(list?.querySelectorAll<HTMLElement>(rows) ?? [])];
  const index = all.findIndex((row) => row.dataset.interaction === activeRow(list));
  const next = index === -1 ? 0 : Math.min(all.length - 1, Math.max(0, index + step));
  all[next]?.focus();
}

/** The row is also active while its checkbox has the focus. */
export function activeRow(list: HTMLElement | null): string | undefined {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !list?.contains(focused)) return undefined;
  return focused.closest('li')?.querySelector<HTMLElement>(rows)?.dataset.interaction;
}
