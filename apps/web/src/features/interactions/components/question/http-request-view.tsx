import { Address } from '../../../../ui/address.tsx';
import { JsonView } from '../../../../ui/json-view.tsx';
import { Revealed } from '../../../../ui/revealed.tsx';
import { Preformatted } from '../../../../ui/text-block.tsx';
import type { BodyNote, HttpRequest } from '../../http-request.ts';

export function HttpRequestView({ request }: { request: HttpRequest }) {
  const { method, url, headers, body, bodyNote, rest } = request;
  return (
    <div className="flex flex-col gap-3">
      <p className="font-mono text-[0.8125rem] leading-5 wrap-anywhere">
        <strong className="mr-2 font-bold text-accent">
          <Revealed text={method} foldAt={40} />
        </strong>
        <Address url={url} />
      </p>
      {headers.length > 0 && (
        <dl aria-label="Headers" className="flex flex-col gap-0.5 font-mono text-xs leading-5">
          {headers.map(([name, value]) => (
            <div key={name} className="wrap-anywhere">
              <dt className="inline text-muted">
                <Revealed text={name} foldAt={200} />:{' '}
              </dt>
              <dd className="inline">
                <Revealed text={value} foldAt={1_000} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {bodyNote && <BodyNoteView note={bodyNote} />}
      {body !== undefined && (
        <div className="border-t border-line pt-3">
          {typeof body === 'string' ? (
            <Preformatted>
              <Revealed text={body} />
            </Preformatted>
          ) : (
            <JsonView value={body} />
          )}
        </div>
      )}
      {Object.keys(rest).length > 0 && (
        <div className="border-t border-line pt-3">
          <JsonView value={rest} />
        </div>
      )}
    </div>
  );
}

/** In words and not as JSON, which would read as if it were the body. */
function BodyNoteView({ note: { bytes, mediaType, sha256 } }: { note: BodyNote }) {
  return (
    <div className="flex flex-col gap-1 border-t border-line pt-3 text-sm">
      <p className="wrap-anywhere">
        A body of {bytes.toLocaleString('en')} bytes, <Revealed text={mediaType} foldAt={200} />, which is too
        long to be shown here. It is made of what the code passed, which is shown in full.
      </p>
      <p className="text-xs text-muted wrap-anywhere">
        SHA-256{' '}
        <code className="font-mono">
          <Revealed text={sha256} />
        </code>
      </p>
    </div>
  );
}
