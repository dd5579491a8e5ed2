import { Address } from '../../../ui/address.tsx';
import { JsonView } from '../../../ui/json-view.tsx';
import { Revealed } from '../../../ui/revealed.tsx';
import { Preformatted } from '../../../ui/text-block.tsx';
import type { HttpRequest } from '../http-request.ts';

export function HttpRequestView({ request }: { request: HttpRequest }) {
  const { method, url, headers, body, rest } = request;
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
