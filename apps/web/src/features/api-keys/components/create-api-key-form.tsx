import type { PrincipalKind } from '@executor/protocol';
import { type FormEvent, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Message } from '../../../ui/message.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { ApiKeyKindField } from './api-key-kind-field.tsx';

interface CreateApiKeyFormProps {
  busy: boolean;
  error: Error | null;
  onSubmit: (key: { name: string; kind: PrincipalKind }) => void;
  onCancel: () => void;
}

export function CreateApiKeyForm({ busy, error, onSubmit, onCancel }: CreateApiKeyFormProps) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<PrincipalKind>('agent');

  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit({ name, kind });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label="Name"
        hint="For example the program or machine that will use the key."
        required
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <ApiKeyKindField value={kind} onChange={setKind} />
      {error && (
        <Notice look="danger">
          <Message text={error.message} />
        </Notice>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" busy={busy}>
          Create key
        </Button>
      </div>
    </form>
  );
}
