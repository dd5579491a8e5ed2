import type { Health } from '@executor/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Message } from '../../../ui/message.tsx';
import { useHealth } from '../api/get-health.ts';

/** Says so while the server is away or cannot work, and has everything read again once it is back. */
export function ConnectionBanner() {
  const { error, data } = useHealth();
  const trouble = describeTrouble(error, data);
  useReadAgainAfter(trouble !== undefined);
  return (
    <div role="status" className="sticky top-0 z-10">
      {trouble && (
        <p className="flex items-center justify-center gap-3 bg-warn-soft px-4 py-2.5 text-center text-sm text-warn">
          <span aria-hidden="true" className="size-2 shrink-0 animate-pulse rounded-full bg-warn" />
          <span>
            <Message text={trouble} />
          </span>
        </p>
      )}
    </div>
  );
}

function describeTrouble(error: Error | null, health: Health | undefined): string | undefined {
  if (error) return `${error.message} Trying again… If it was stopped, \`executor up\` starts it.`;
  if (health?.database === 'unavailable') {
    return 'Executor runs, but its database does not answer. Trying again… `executor doctor` says what to do.';
  }
  return undefined;
}

function useReadAgainAfter(inTrouble: boolean): void {
  const queryClient = useQueryClient();
  const wasInTrouble = useRef(false);
  useEffect(() => {
    if (wasInTrouble.current && !inTrouble) {
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'workspace' });
    }
    wasInTrouble.current = inTrouble;
  }, [inTrouble, queryClient]);
}
