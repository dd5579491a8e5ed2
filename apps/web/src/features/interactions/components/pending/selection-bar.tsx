import { Button } from '../../../../ui/button.tsx';

interface SelectionBarProps {
  count: number;
  onAnswer: (action: 'approve' | 'deny') => void;
  onClear: () => void;
}

export function SelectionBar({ count, onAnswer, onClear }: SelectionBarProps) {
  return (
    <div className="sticky bottom-3 z-10 flex flex-wrap items-center gap-2 rounded-2xl border border-line bg-surface p-3 shadow-lg">
      <p role="status" className="mr-auto px-1 text-sm font-medium">
        {count} selected
      </p>
      <Button look="quiet" onClick={onClear}>
        Clear
      </Button>
      <Button onClick={() => onAnswer('deny')}>Deny…</Button>
      <Button look="primary" onClick={() => onAnswer('approve')}>
        Approve…
      </Button>
    </div>
  );
}
