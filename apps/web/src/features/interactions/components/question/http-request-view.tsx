import { Address } from '../../../../ui/address.tsx';
import { JsonView } from '../../../../ui/json-view.tsx';
import { Revealed } from '../../../../ui/revealed.tsx';
import { Preformatted } from '../../../../ui/text-block.tsx';
import type { BodyNote, HttpRequest } from '../../http-request.ts';

export function HttpRequestView({ request }: { request: HttpRequest }) {
  const { method, url, headers, body, bodyNote, others } = request;
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
      {Object.keys(others).length > 0 && (
        <div className="border-t border-line pt-3">
          <JsonView value={others} />
        </div>
      )}
    </div>
  );
}

/** A sentence, because JSON would look like the body itself. */
function BodyNoteView({ note: { bytes, mediaType, sha256 } }: { note: BodyNote }) {
  return (
    <div className="flex flex-col gap-1 border-t border-line pt-3 text-sm">
      <p className="wrap-anywhere">
        The body has {bytes.toLocaleString('en')} bytes (<Revealed text={mediaType} foldAt={200} />
        ), too many to show here. Executor builds it from the input of the code, which is shown in full.
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
