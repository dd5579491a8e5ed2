import type { Call } from '@executor/protocol';
import { Badge, type BadgeLook } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { JsonView } from '../../../ui/json-view.tsx';
import { Revealed } from '../../../ui/revealed.tsx';
import { Preformatted, TextBlock } from '../../../ui/text-block.tsx';
import { useCalls } from '../api/list-calls.ts';

const callLooks: Record<Call['status'], { word: string; look: BadgeLook }> = {
  requested: { word: 'Requested', look: 'neutral' },
  waiting: { word: 'Waiting', look: 'warn' },
  dispatched: { word: 'Sent', look: 'accent' },
  uncertain: { word: 'Unknown', look: 'warn' },
  succeeded: { word: 'Done', look: 'good' },
  failed: { word: 'Failed', look: 'danger' },
  denied: { word: 'Denied', look: 'danger' },
  abandoned: { word: 'Abandoned', look: 'neutral' },
};

export function CallsCard({ executionId, live }: { executionId: string; live: boolean }) {
  const { data } = useCalls(executionId, { live });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Card title="Calls">
      <ol aria-label="Calls" className="divide-y divide-line">
        {data.items.map((call) => (
          <CallRow key={call.id} call={call} />
        ))}
      </ol>
      {data.nextCursor && (
        <p className="border-t border-line px-5 py-3 text-sm text-muted sm:px-6">
          There are more calls.{' '}
          <code className="font-mono wrap-anywhere">executor executions events {executionId}</code> lists all
          of them.
        </p>
      )}
    </Card>
  );
}

function CallRow({ call }: { call: Call }) {
  const { path, status, input, result, error } = call;
  const { word, look } = callLooks[status];
  return (
    <li>
      <details className="group">
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-5 py-3 text-sm -outline-offset-2 hover:bg-sunken sm:px-6">
          <Badge look={look}>{word}</Badge>
          <span className="min-w-0 font-mono text-xs wrap-anywhere">
            <Revealed text={path.slice(0, 200)} />
          </span>
        </summary>
        <div className="flex flex-col gap-3 px-5 pb-4 sm:px-6">
          <TextBlock label="Input">
            <JsonView value={input} />
          </TextBlock>
          {error && (
            <TextBlock label="Error">
              <Preformatted>
                <Revealed text={`${error.name}: ${error.message}`} />
              </Preformatted>
            </TextBlock>
          )}
          {result !== undefined && (
            <TextBlock label="Result">
              <JsonView value={result} />
            </TextBlock>
          )}
        </div>
      </details>
    </li>
  );
}
