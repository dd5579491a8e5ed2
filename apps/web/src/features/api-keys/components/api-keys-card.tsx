import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { LoadingRows } from '../../../ui/loading-rows.tsx';
import { QueryFailure } from '../../../ui/query-failure.tsx';
import { useApiKeys } from '../api/list-api-keys.ts';
import { ApiKeyList } from './api-key-list.tsx';
import { CreateApiKeyDialog } from './create-api-key-dialog.tsx';

export function ApiKeysCard() {
  const apiKeys = useApiKeys();
  const [creating, setCreating] = useState(false);
  return (
    <Card
      title="API keys"
      description="Agents and programs use keys to call Executor."
      action={
        <Button look="primary" onClick={() => setCreating(true)}>
          New key
        </Button>
      }
    >
      {apiKeys.isPending && <LoadingRows label="Loading the keys" />}
      {apiKeys.isError && <QueryFailure error={apiKeys.error} onRetry={apiKeys.refetch} />}
      {apiKeys.data && <ApiKeyList apiKeys={apiKeys.data} />}
      {creating && <CreateApiKeyDialog onClose={() => setCreating(false)} />}
    </Card>
  );
}
