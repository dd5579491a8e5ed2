import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Message } from '../../ui/message.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextField } from '../../ui/text-field.tsx';

interface PinDialogProps {
  problem: string | undefined;
  /** Called without a PIN if the user cancels. */
  onAnswer: (pin: string | undefined) => void;
}

export function PinDialog({ problem, onAnswer }: PinDialogProps) {
  const [pin, setPin] = useState('');

  function submit(event: FormEvent) {
    event.preventDefault();
    onAnswer(pin);
  }

  return (
    <Dialog title="Enter your PIN" onClose={() => onAnswer(undefined)}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {problem && (
          <Notice look="danger">
            <Message text={problem} />
          </Notice>
        )}
        <TextField
          label="PIN"
          hint="It proves that you are present. Executor asks for it each time."
          type="password"
          inputMode="numeric"
          autoComplete="off"
          required
          maxLength={200}
          value={pin}
          onChange={(event) => setPin(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={() => onAnswer(undefined)}>Cancel</Button>
          <Button type="submit" look="primary">
            Continue
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
