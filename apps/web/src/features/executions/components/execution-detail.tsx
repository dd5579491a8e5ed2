import { type Execution, type ExecutionStatus, isFinished, type UnawaitedCall } from '@executor/protocol';
import type { ReactNode } from 'react';
import { Badge, type BadgeLook } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { JsonView } from '../../../ui/json-view.tsx';
import { Message } from '../../../ui/message.tsx';
import { Revealed } from '../../../ui/revealed.tsx';
import { Preformatted, TextBlock } from '../../../ui/text-block.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { CallsCard } from './calls-card.tsx';

const statusLooks: Record<ExecutionStatus, { word: string; look: BadgeLook }> = {
  queued: { word: 'Queued', look: 'neutral' },
  running: { word: 'Running', look: 'accent' },
  waiting: { word: 'Waiting', look: 'warn' },
  completed: { word: 'Completed', look: 'good' },
  failed: { word: 'Failed', look: 'danger' },
  cancelled: { word: 'Cancelled', look: 'neutral' },
};

/** One run. The children, its questions, are shown first because they need an answer. */
export function ExecutionDetail({ execution, children }: { execution: Execution; children: ReactNode }) {
  const { id, status, code, error, logs, clientId, createdAt, finishedAt, removed, unawaited, hints } =
    execution;
  const { word, look } = statusLooks[status];
  return (
    <article className="flex flex-col gap-6">
      <header className="flex flex-col gap-2">
        <div className="flex items-center gap-3">
          <h1 className="text-2xl font-semibold tracking-tight">Run</h1>
          <p role="status" className="flex">
            <Badge look={look}>{word}</Badge>
          </p>
        </div>
        <p className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
          <code className="font-mono text-xs leading-5">{id}</code>
          <span>
            Started <TimeAgo at={createdAt} />
          </span>
          {finishedAt && (
            <span>
              Ended <TimeAgo at={finishedAt} />
            </span>
          )}
          {clientId && (
            <span className="wrap-anywhere">
              By <Revealed text={clientId} />
            </span>
          )}
        </p>
        {execution.returned && (
          <OmittedHint hint="The code has returned. The run waits for calls that the code did not await." />
        )}
        {removed && <OmittedHint hint={`Its artifacts and large values are gone. ${removed.hint}`} />}
      </header>
      {children}
      {error && <ErrorCard error={error} />}
      {status === 'completed' && <ResultCard execution={execution} />}
      {unawaited && <UnawaitedCard unawaited={unawaited} />}
      {hints && <HintsCard hints={hints} />}
      <CallsCard executionId={id} live={!isFinished(status)} />
      {logs.length > 0 && <LogsCard execution={execution} />}
      <Card title="Code">
        <div className="p-4">
          <TextBlock label="Code">
            <Preformatted>
              <Revealed text={code} foldAt={10_000} />
            </Preformatted>
          </TextBlock>
        </div>
      </Card>
    </article>
  );
}

function ErrorCard({ error }: { error: NonNullable<Execution['error']> }) {
  const location = error.line === undefined ? '' : ` at line ${error.line}`;
  return (
    <Card title="Error" description={`${error.name ?? error.code}${location}`}>
      <div className="flex flex-col gap-3 p-4">
        <TextBlock label="Error">
          <Preformatted>
            <Revealed text={error.excerpt ? `${error.message}\n\n${error.excerpt}` : error.message} />
          </Preformatted>
        </TextBlock>
      </div>
    </Card>
  );
}

function ResultCard({ execution: { result, omitted } }: { execution: Execution }) {
  return (
    <Card title="Result">
      <div className="flex flex-col gap-3 p-4">
        <TextBlock label="Result">
          <JsonView value={result ?? null} />
        </TextBlock>
        {omitted?.result && <OmittedHint hint={omitted.result.hint} />}
      </div>
    </Card>
  );
}

const outcomeLooks: Record<UnawaitedCall['outcome'], { word: string; look: BadgeLook }> = {
  failed: { word: 'Failed', look: 'danger' },
  denied: { word: 'Denied', look: 'danger' },
  pending: { word: 'Had not fired', look: 'warn' },
  succeeded: { word: 'Succeeded', look: 'good' },
};
const outcomes = Object.keys(outcomeLooks);

/** Failures first. */
function UnawaitedCard({ unawaited }: { unawaited: UnawaitedCall[] }) {
  const ordered = unawaited.toSorted(
    (one, other) => outcomes.indexOf(one.outcome) - outcomes.indexOf(other.outcome),
  );
  return (
    <Card title="Calls that were not awaited" description="They settled after the code had returned.">
      <ul className="flex flex-col gap-2 px-6 py-4 text-sm">
        {ordered.map(({ path, line, outcome, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list of an ended run never changes
          <li key={index} className="flex flex-wrap items-center gap-x-3 gap-y-1 wrap-anywhere">
            <Badge look={outcomeLooks[outcome].look}>{outcomeLooks[outcome].word}</Badge>
            <code className="font-mono text-xs leading-5">
              <Revealed text={path} />
            </code>
            {line !== undefined && <span className="text-muted">line {line}</span>}
            {message !== undefined && <Revealed text={message} />}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function HintsCard({ hints }: { hints: string[] }) {
  return (
    <Card title="Hints" description="What the author of the code should know about its result.">
      <ul className="flex flex-col gap-2 px-6 py-4 text-sm">
        {hints.map((hint) => (
          <li key={hint} className="wrap-anywhere">
            <Revealed text={hint} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function LogsCard({ execution: { logs, omitted } }: { execution: Execution }) {
  return (
    <Card title="Logs">
      <div className="flex flex-col gap-3 p-4">
        <TextBlock label="Logs">
          {logs.map(({ at, level, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: log lines are only added at the end
            <Preformatted key={index}>
              <span
                className={level === 'error' ? 'text-danger' : level === 'warn' ? 'text-warn' : 'text-muted'}
              >
                {at.slice(11, 19)}{' '}
              </span>
              <Revealed text={text} />
            </Preformatted>
          ))}
        </TextBlock>
        {omitted?.logs && <OmittedHint hint={omitted.logs.hint} />}
      </div>
    </Card>
  );
}

function OmittedHint({ hint }: { hint: string }) {
  return (
    <p className="text-sm text-muted wrap-anywhere">
      <Message text={hint} />
    </p>
  );
}
