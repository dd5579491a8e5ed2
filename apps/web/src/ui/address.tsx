import { Revealed } from './revealed.tsx';
import { splitAddress } from './split-address.ts';

/** An address with its host in bold: who is talked to is what matters most in it. */
export function Address({ url }: { url: string }) {
  const parts = splitAddress(url);
  if (parts === undefined) return <Revealed text={url} />;
  const { before, host, after, leadsTo } = parts;
  return (
    <>
      <span className="text-muted">
        <Revealed text={before} />
      </span>
      <strong className="font-bold text-ink">
        <Revealed text={host} />
      </strong>
      <Revealed text={after} />
      {leadsTo !== undefined && (
        <span className="mt-1 block font-sans text-sm text-warn">
          This leads to <strong>{leadsTo}</strong>.
        </span>
      )}
    </>
  );
}
