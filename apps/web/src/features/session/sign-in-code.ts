import { useEffect, useState } from 'react';

/** Returns the code of a sign-in link (`/#sign-in=CODE`) and removes it from the address bar and the history. */
export function takeSignInCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('sign-in');
  if (code === null) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return code;
}

/** The code of the first link, or of one that was pasted later. A new fragment alone does not reload the page. */
export function useSignInCode(initial: string | undefined): string | undefined {
  const [code, setCode] = useState(initial);
  useEffect(() => {
    const onHashChange = () => setCode((previous) => takeSignInCode() ?? previous);
    addEventListener('hashchange', onHashChange);
    return () => removeEventListener('hashchange', onHashChange);
  }, []);
  return code;
}
