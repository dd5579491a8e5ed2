import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/**
 * The run that the address names (`/approvals#RUN`). The page scrolls to its group once, when the group is there. The browser itself
 * looks only while it loads the page. It finds nothing, because the id of a group is longer: it would take the focus away again.
 */
export function useLinkedRun(): string | undefined {
  const id = useLocation({ select: ({ hash }) => hash });
  const reached = useRef('');
  useEffect(() => {
    const group = id === reached.current ? null : document.getElementById(`run-${id}`);
    if (group === null) return;
    reached.current = id;
    group.scrollIntoView({ block: 'start', behavior: 'instant' });
    group.querySelector<HTMLElement>('[data-interaction]')?.focus({ preventScroll: true });
  });
  // Anyone can write an address. Only ids of runs are shown.
  return /^exe_\w+$/.test(id) ? id : undefined;
}
