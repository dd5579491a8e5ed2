import { useEffect, useRef } from 'react';

/** What keys (`j ArrowDown`: either of them) do while this is shown. Not while somebody types, not under a dialog, and not with Ctrl, Alt or ⌘, which are the browser's. */
export function useShortcuts(shortcuts: Record<string, () => void>): void {
  const current = useRef(shortcuts);
  useEffect(() => {
    current.current = shortcuts;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      const act = Object.entries(current.current).find(([keys]) => keys.split(' ').includes(event.key))?.[1];
      // A key that is held down must not answer one question after the other.
      if (act === undefined || (event.repeat && !event.key.startsWith('Arrow'))) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

function isTyping({ target }: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  return target instanceof Element && target.closest('input:not([type=checkbox]), textarea, select') !== null;
}
