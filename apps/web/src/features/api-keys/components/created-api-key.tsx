import type { CreatedApiKey as Created } from '@executor/protocol';
import { Button } from '../../../ui/button.tsx';
import { CopyField } from '../../../ui/copy-field.tsx';
import { Notice } from '../../../ui/notice.tsx';

interface CreatedApiKeyProps {
  apiKey: Created;
  onClose: () => void;
}

export function CreatedApiKey({ apiKey, onClose }: CreatedApiKeyProps) {
  return (
    <div className="flex flex-col gap-4">
      <CopyField label={apiKey.kind === 'agent' ? 'Agent key' : 'Person key'} value={apiKey.key} />
      <Notice look="warn">
        Copy the key now. It is not shown again. Anyone who has it can use it until you revoke it.
      </Notice>
      <div className="flex justify-end">
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}
