import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { ApprovalPage } from './approval-page.tsx';
import { ApprovalsPage } from './approvals-page.tsx';
import { ExecutionPage } from './execution-page.tsx';
import { HomePage } from './home-page.tsx';
import { Layout } from './layout.tsx';
import { NoSuchPage } from './no-such-page.tsx';

const root = createRootRoute({ component: Layout, notFoundComponent: NoSuchPage });

const home = createRoute({ getParentRoute: () => root, path: '/', component: HomePage });

const approvals = createRoute({ getParentRoute: () => root, path: '/approvals', component: ApprovalsPage });

const approval = createRoute({
  getParentRoute: () => root,
  path: '/approvals/$id',
  component: function ApprovalRoute() {
    const { id } = approval.useParams();
    // The key resets the page for each question, so that an answer typed for one is never sent to another.
    return <ApprovalPage key={id} id={id} />;
  },
});

const execution = createRoute({
  getParentRoute: () => root,
  path: '/executions/$id',
  component: function ExecutionRoute() {
    const { id } = execution.useParams();
    return <ExecutionPage key={id} id={id} />;
  },
});

/** Must be called after the sign-in, because the router starts at the current address. */
export function createAppRouter() {
  return createRouter({ routeTree: root.addChildren([home, approvals, approval, execution]) });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
