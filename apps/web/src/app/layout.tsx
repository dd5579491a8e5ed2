import { Link, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWorkspaceEvents } from '../features/events/follow-workspace.ts';
import { PendingCount } from '../features/interactions/components/pending/pending-count.tsx';
import { SignOutButton } from '../features/session/components/sign-out-button.tsx';
import { Mark } from '../ui/mark.tsx';

export function Layout() {
  useWorkspaceEvents();
  return (
    <div className="mx-auto flex min-h-dvh max-w-5xl flex-col gap-6 px-4 py-4 sm:px-6 sm:py-6">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Link
          to="/"
          aria-label="Executor, home"
          className="flex items-center gap-2.5 rounded-lg font-semibold tracking-tight"
        >
          <Mark />
          <span className="hidden sm:inline">Executor</span>
        </Link>
        <nav aria-label="Pages" className="flex grow items-center gap-1">
          <NavLink to="/">Home</NavLink>
          <NavLink to="/approvals">
            Approvals <PendingCount />
          </NavLink>
        </nav>
        <SignOutButton />
      </header>
      <main className="flex grow flex-col gap-6">
        <Outlet />
      </main>
    </div>
  );
}

function NavLink({ to, children }: { to: '/' | '/approvals'; children: ReactNode }) {
  return (
    <Link
      to={to}
      activeOptions={{ exact: to === '/' }}
      className="flex min-h-9 items-center gap-1.5 rounded-lg px-2.5 text-sm font-medium text-muted hover:bg-sunken hover:text-ink aria-[current]:bg-sunken aria-[current]:text-ink"
    >
      {children}
    </Link>
  );
}
