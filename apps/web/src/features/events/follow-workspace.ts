import type { Client } from '@executor/client';
import type { WorkspaceEvent } from '@executor/protocol';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClient } from '../session/client.tsx';

const againMs = 1_000;

/**
 * Has what changes on the server read again at once. Only while the page is looked at: a browser has six connections to a server for all
 * its tabs, and a stream takes one.
 */
export function useWorkspaceEvents(): void {
  const client = useClient();
  const queryClient = useQueryClient();
  useEffect(() => {
    let following: AbortController | undefined;
    const look = () => {
      following?.abort();
      following = document.visibilityState === 'visible' ? new AbortController() : undefined;
      if (following) void follow(client, queryClient, following.signal);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      following?.abort();
    };
  }, [client, queryClient]);
}

/** A stream that could not be had, or was lost for long, is asked for again: what happened meanwhile is read anew. */
async function follow(client: Client, queryClient: QueryClient, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of client.events.list({}, { signal })) readAgain(queryClient, event);
    } catch {
      // The banner says that the server is away, and the session gate that the session has ended.
    }
    if (signal.aborted) return;
    await new Promise((resolve) => setTimeout(resolve, againMs));
    void queryClient.invalidateQueries({ queryKey: ['workspace', 'interactions'] });
    void queryClient.invalidateQueries({ queryKey: ['workspace', 'executions'] });
  }
}

function readAgain(queryClient: QueryClient, { type, executionId }: WorkspaceEvent): void {
  if (executionId === undefined) return;
  void queryClient.invalidateQueries({ queryKey: ['workspace', 'executions', executionId] });
  // The end of a run withdraws what it asked.
  if (type.startsWith('interaction.') || isEnd(type))
    void queryClient.invalidateQueries({ queryKey: ['workspace', 'interactions'] });
}

function isEnd(type: string): boolean {
  return type === 'execution.completed' || type === 'execution.failed' || type === 'execution.cancelled';
}
