import { Dialog } from '../../../ui/dialog.tsx';
import { useCreateApiKey } from '../api/create-api-key.ts';
import { CreateApiKeyForm } from './create-api-key-form.tsx';
import { CreatedApiKey } from './created-api-key.tsx';

/** Asks for a name and a kind, then shows the key once. The server stores only its hash. */
export function CreateApiKeyDialog({ onClose }: { onClose: () => void }) {
  const createApiKey = useCreateApiKey();
  const created = createApiKey.data;
  return (
    <Dialog title={created ? `Key “${created.name}” is ready` : 'New API key'} onClose={onClose}>
      {created ? (
        <CreatedApiKey apiKey={created} onClose={onClose} />
      ) : (
        <CreateApiKeyForm
          busy={createApiKey.isPending}
          error={createApiKey.error}
          onSubmit={createApiKey.mutate}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
}
