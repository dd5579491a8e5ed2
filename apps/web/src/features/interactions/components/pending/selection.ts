/** The selected approvals, and what the keyboard does with them. */
export interface Selection {
  has(id: string): boolean;
  set(ids: string[], selected: boolean): void;
  /** Enter on a row or its checkbox. */
  enter(id: string): void;
  /** Enter on the checkbox of a group. */
  enterGroup(): void;
}
