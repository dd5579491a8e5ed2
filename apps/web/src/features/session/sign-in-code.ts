import { useEffect, useState } from 'react';

/** The code of a sign-in link (`/#sign-in=CODE`), taken out of the address bar and the history. */
export function takeSignInCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('sign-in');
  if (code === null) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return code;
}

/** The code that the page was opened with, or that was pasted over it since: a new fragment alone does not load the page again. */
export function useSignInCode(initial: string | undefined): string | undefined {
  const [code, setCode] = useState(initial);
  useEffect(() => {
    const onHashChange = () => setCode((known) => takeSignInCode() ?? known);
    addEventListener('hashchange', onHashChange);
    return () => removeEventListener('hashchange', onHashChange);
  }, []);
  return code;
}
