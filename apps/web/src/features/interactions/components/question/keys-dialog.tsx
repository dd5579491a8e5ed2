import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';

type Keys = [key: string, meaning: string][];

export const listKeys: Keys = [
  ['j or ↓', 'The next question'],
  ['k or ↑', 'The previous question'],
  ['Enter', 'Open it, or approve the selected questions'],
  ['x', 'Select it, or deselect it'],
  ['a', 'Approve it, or the selected questions'],
  ['d', 'Deny it, or the selected questions'],
  ['Esc', 'Clear the selection'],
  ['?', 'Show these keys'],
];

export const detailKeys: Keys = [
  ['a', 'Approve it, once'],
  ['d', 'Deny it, with a reason'],
  ['u', 'Back to the list'],
  ['?', 'Show these keys'],
];

export function KeysDialog({ keys, onClose }: { keys: Keys; onClose: () => void }) {
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <dl className="mb-5 grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2 text-sm">
        {keys.map(([key, meaning]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded border border-line bg-sunken px-1.5 py-0.5 font-mono text-xs">
                {key}
              </kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <div className="flex justify-end">
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
