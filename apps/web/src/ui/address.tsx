import { Revealed } from './revealed.tsx';
import { splitAddress } from './split-address.ts';

/** An address with its host in bold, because the host decides who receives the request. */
export function Address({ url }: { url: string }) {
  const parts = splitAddress(url);
  if (parts === undefined) return <Revealed text={url} />;
  const { before, host, after, actualHost } = parts;
  return (
    <>
      <span className="text-muted">
        <Revealed text={before} />
      </span>
      <strong className="font-bold text-ink">
        <Revealed text={host} />
      </strong>
      <Revealed text={after} />
      {actualHost !== undefined && (
        <span className="mt-1 block font-sans text-sm text-warn">
          The actual host is <strong>{actualHost}</strong>.
        </span>
      )}
    </>
  );
}
