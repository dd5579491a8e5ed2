import { QueryClientProvider } from '@tanstack/react-query';
import { ConnectionBanner } from '../features/server/components/connection-banner.tsx';
import { SessionGate } from '../features/session/components/session-gate.tsx';
import { HomePage } from './home-page.tsx';
import { PageErrorBoundary } from './page-error-boundary.tsx';
import { queryClient } from './query-client.ts';

/** Every path shows the home page, for now: it is the only page there is. */
export function App({ signInCode }: { signInCode: string | undefined }) {
  return (
    <PageErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <ConnectionBanner />
        <SessionGate signInCode={signInCode}>
          <HomePage />
        </SessionGate>
      </QueryClientProvider>
    </PageErrorBoundary>
  );
}
