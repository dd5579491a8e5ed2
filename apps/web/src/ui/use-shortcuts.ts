import { useLayoutEffect, useRef } from 'react';

/**
 * Runs an action for each key while the component is shown; `j ArrowDown` means either key. Keys are ignored while a text is edited,
 * while a dialog is open, and with Ctrl, Alt or ⌘, which belong to the browser.
 *
 * Layout effects run before the browser shows the component, so that the first key after it appears already works.
 */
export function useShortcuts(shortcuts: Record<string, () => void>): void {
  const current = useRef(shortcuts);
  useLayoutEffect(() => {
    current.current = shortcuts;
  });
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isForOthers(event))
        return;
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

/** Whether a dialog or a text field has the key. */
function isForOthers({ target }: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  return target instanceof Element && target.closest('input:not([type=checkbox]), textarea, select') !== null;
}
