import type { Client } from '@executor/client';
import type { WorkspaceEvent } from '@executor/protocol';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClient } from '../session/client.tsx';
import { currentSession, subscribeToSession } from '../session/session-store.ts';

const retryMs = 1_000;

/**
 * Refetches data as soon as it changes on the server. The stream is open only while the page is visible, because a browser has six
 * connections to a server for all its tabs, and a stream takes one. It is closed before the session ends.
 */
export function useWorkspaceEvents(): void {
  const client = useClient();
  const queryClient = useQueryClient();
  useEffect(() => {
    let following: AbortController | undefined;
    const update = () => {
      if (isWanted() === (following !== undefined)) return;
      following?.abort();
      following = isWanted() ? new AbortController() : undefined;
      if (following) void follow(client, queryClient, following.signal);
    };
    update();
    document.addEventListener('visibilitychange', update);
    const unsubscribe = subscribeToSession(update);
    return () => {
      document.removeEventListener('visibilitychange', update);
      unsubscribe();
      following?.abort();
    };
  }, [client, queryClient]);
}

function isWanted(): boolean {
  const session = currentSession();
  return document.visibilityState === 'visible' && session.type === 'signedIn' && !session.isEnding;
}

/** Reconnects a failed stream, and refetches everything that may have changed meanwhile. */
async function follow(client: Client, queryClient: QueryClient, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of client.events.list({}, { signal })) refetch(queryClient, event);
    } catch {
      // The banner shows that the server does not answer, and the session gate that the session has ended.
    }
    if (signal.aborted) return;
    await new Promise((resolve) => setTimeout(resolve, retryMs));
    void queryClient.invalidateQueries({ queryKey: ['workspace', 'interactions'] });
    void queryClient.invalidateQueries({ queryKey: ['workspace', 'executions'] });
  }
}

function refetch(queryClient: QueryClient, { type, executionId }: WorkspaceEvent): void {
  if (executionId === undefined) return;
  void queryClient.invalidateQueries({ queryKey: ['workspace', 'executions', executionId] });
  // The end of a run withdraws its questions.
  if (type.startsWith('interaction.') || isEnd(type))
    void queryClient.invalidateQueries({ queryKey: ['workspace', 'interactions'] });
}

function isEnd(type: string): boolean {
  return type === 'execution.completed' || type === 'execution.failed' || type === 'execution.cancelled';
}
