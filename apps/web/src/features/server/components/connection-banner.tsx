import type { Health } from '@executor/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Message } from '../../../ui/message.tsx';
import { useHealth } from '../api/get-health.ts';

/** Shown while the server does not answer or has no database. Refetches everything once it is back. */
export function ConnectionBanner() {
  const { error, data } = useHealth();
  const problem = describeProblem(error, data);
  useRefetchAfter(problem !== undefined);
  return (
    <div role="status" className="sticky top-0 z-10">
      {problem && (
        <p className="flex items-center justify-center gap-3 bg-warn-soft px-4 py-2.5 text-center text-sm text-warn">
          <span aria-hidden="true" className="size-2 shrink-0 animate-pulse rounded-full bg-warn" />
          <span>
            <Message text={problem} />
          </span>
        </p>
      )}
    </div>
  );
}

function describeProblem(error: Error | null, health: Health | undefined): string | undefined {
  if (error) return `${error.message} Trying again… If it was stopped, \`executor up\` starts it.`;
  if (health?.database === 'unavailable') {
    return 'Executor is running, but its database does not answer. Trying again… Run `executor doctor` for advice.';
  }
  return undefined;
}

function useRefetchAfter(hasProblem: boolean): void {
  const queryClient = useQueryClient();
  const hadProblem = useRef(false);
  useEffect(() => {
    if (hadProblem.current && !hasProblem) {
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'workspace' });
    }
    hadProblem.current = hasProblem;
  }, [hasProblem, queryClient]);
}
