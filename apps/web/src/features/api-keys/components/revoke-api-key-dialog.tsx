import type { ApiKey } from '@executor/protocol';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Message } from '../../../ui/message.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useRevokeApiKey } from '../api/revoke-api-key.ts';

interface RevokeApiKeyDialogProps {
  apiKey: ApiKey;
  onClose: () => void;
}

export function RevokeApiKeyDialog({ apiKey, onClose }: RevokeApiKeyDialogProps) {
  const revokeApiKey = useRevokeApiKey({ onSuccess: onClose });
  return (
    <Dialog title={`Revoke “${apiKey.name}”?`} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-sm text-muted">
          Executor will reject requests with the key that ends in{' '}
          <code className="font-mono text-ink">{apiKey.hint}</code>. It cancels the unfinished runs of the key
          and withdraws their questions. You cannot undo this, but you can create a new key at any time.
        </p>
        {revokeApiKey.error && (
          <Notice look="danger">
            <Message text={revokeApiKey.error.message} />
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" busy={revokeApiKey.isPending} onClick={() => revokeApiKey.mutate(apiKey.id)}>
            Revoke key
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
