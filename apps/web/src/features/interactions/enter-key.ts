import type { KeyboardEvent } from 'react';

/** Runs the action when Enter is pressed on a link or a checkbox. */
export function onEnterKey(act: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    // With these keys the browser opens the link in another tab or window.
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    // Otherwise the same key press would also activate the button that the dialog focuses.
    event.preventDefault();
    if (!event.repeat) act();
  };
}
