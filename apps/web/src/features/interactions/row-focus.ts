/** Rows are links that carry the id of what they lead to; the one with the focus is the one that keys are for. */
const rows = '[data-interaction]';

export function moveFocus(list: HTMLElement | null, step: 1 | -1): void {
  const all = [...(list?.querySelectorAll<HTMLElement>(rows) ?? [])];
  const place = all.findIndex((row) => row.dataset.interaction === activeRow(list));
  const next = place === -1 ? 0 : Math.min(all.length - 1, Math.max(0, place + step));
  all[next]?.focus();
}

/** Also while the box beside the link has the focus. */
export function activeRow(list: HTMLElement | null): string | undefined {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !list?.contains(focused)) return undefined;
  return focused.closest('li')?.querySelector<HTMLElement>(rows)?.dataset.interaction;
}
