import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { PresenceProvider } from '../features/presence/presence.tsx';
import { ConnectionBanner } from '../features/server/components/connection-banner.tsx';
import { SessionGate } from '../features/session/components/session-gate.tsx';
import { PageErrorBoundary } from './page-error-boundary.tsx';
import { queryClient } from './query-client.ts';
import { createAppRouter } from './router.tsx';

export function App({ signInCode }: { signInCode: string | undefined }) {
  return (
    <PageErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <ConnectionBanner />
        <SessionGate signInCode={signInCode}>
          <PresenceProvider>
            <Pages />
          </PresenceProvider>
        </SessionGate>
      </QueryClientProvider>
    </PageErrorBoundary>
  );
}

function Pages() {
  const [router] = useState(createAppRouter);
  return <RouterProvider router={router} />;
}
