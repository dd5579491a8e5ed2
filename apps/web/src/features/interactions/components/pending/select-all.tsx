import type { Interaction } from '@executor/protocol';
import { onEnterKey } from '../../enter-key.ts';
import type { Selection } from './selection.ts';

interface SelectAllProps {
  /** The accessible name. */
  label: string;
  interactions: Interaction[];
  selection: Selection;
}

/** A checkbox that selects the approvals of a group, also those that are folded. The dialog shows each of them before the answer. */
export function SelectAll({ label, interactions, selection }: SelectAllProps) {
  const ids = interactions.filter(({ kind }) => kind === 'approval').map(({ id }) => id);
  const count = ids.filter(selection.has).length;
  if (ids.length < 2) return null;
  return (
    <input
      type="checkbox"
      ref={(box) => {
        if (box) box.indeterminate = count > 0 && count < ids.length;
      }}
      checked={count === ids.length}
      onChange={({ target }) => selection.set(ids, target.checked)}
      onKeyDown={onEnterKey(selection.enterGroup)}
      aria-label={label}
      className="size-4 shrink-0 accent-accent"
    />
  );
}
