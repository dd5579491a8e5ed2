import type { AuditEntry } from '@executor/protocol';
import { Revealed } from '../../../ui/revealed.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { useKeyNames } from '../../api-keys/api/key-names.ts';
import { credentialPhrase, entrySentence } from '../entry-sentence.ts';

export function AuditRow({ entry }: { entry: AuditEntry }) {
  const keyNames = useKeyNames();
  return (
    <li className="flex flex-col gap-x-4 gap-y-1 px-5 py-3 text-sm sm:flex-row sm:items-baseline sm:justify-between sm:px-6">
      <span className="min-w-0 wrap-anywhere">
        <Revealed text={entrySentence(entry, keyNames)} />
      </span>
      <span className="shrink-0 text-xs text-muted">
        {credentialPhrase(entry)} · <TimeAgo at={entry.at} />
      </span>
    </li>
  );
}
