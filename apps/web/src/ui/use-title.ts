import { useEffect } from 'react';

/** Sets the title of the browser tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Executor`;
    return () => {
      document.title = 'Executor';
    };
  }, [title]);
}
