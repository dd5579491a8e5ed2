import type { ApiKey } from '@executor/protocol';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ApiKeyRow } from './api-key-row.tsx';
import { NoApiKeys } from './no-api-keys.tsx';
import { RevokeApiKeyDialog } from './revoke-api-key-dialog.tsx';
import { StopDialogDialog } from './stop-dialog-dialog.tsx';

export function ApiKeyList({ apiKeys }: { apiKeys: ApiKey[] }) {
  // Kept here, because the row disappears when another user revokes its key, and the message would be lost.
  const [revoking, setRevoking] = useState<ApiKey>();
  const [stopping, setStopping] = useState<ApiKey>();
  const [withRevoked, setWithRevoked] = useState(false);
  const active = apiKeys.filter(({ revokedAt }) => revokedAt === undefined);
  const revoked = apiKeys.length - active.length;
  const shown = withRevoked ? apiKeys : active;
  return (
    <>
      {shown.length === 0 && (
        <NoApiKeys title={revoked > 0 ? 'All keys are revoked.' : 'There are no keys yet.'} />
      )}
      {shown.length > 0 && (
        <ul aria-label="API keys" className="divide-y divide-line">
          {shown.map((apiKey) => (
            <ApiKeyRow
              key={apiKey.id}
              apiKey={apiKey}
              onRevoke={() => setRevoking(apiKey)}
              onStopDialog={() => setStopping(apiKey)}
            />
          ))}
        </ul>
      )}
      {revoked > 0 && (
        <div className="border-t border-line px-3 py-2 sm:px-4">
          <Button look="quiet" aria-pressed={withRevoked} onClick={() => setWithRevoked(!withRevoked)}>
            {withRevoked ? 'Hide revoked keys' : `Show revoked keys (${revoked})`}
          </Button>
        </div>
      )}
      {revoking && <RevokeApiKeyDialog apiKey={revoking} onClose={() => setRevoking(undefined)} />}
      {stopping && <StopDialogDialog apiKey={stopping} onClose={() => setStopping(undefined)} />}
    </>
  );
}
