import type { Interaction } from '@executor/protocol';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge } from '../../../../ui/badge.tsx';
import { Revealed } from '../../../../ui/revealed.tsx';
import { useShortcuts } from '../../../../ui/use-shortcuts.ts';
import { useResolveInteraction } from '../../api/resolve-interaction.ts';
import { asHttpRequest } from '../../http-request.ts';
import { effects, kindNames, requestTitles } from '../../words.ts';
import { Answers } from '../answers/answers.tsx';
import { Settled } from '../settled/settled.tsx';
import { EffectBadge } from './effect-badge.tsx';
import { InputView } from './input-view.tsx';
import { detailKeys, KeysDialog } from './keys-dialog.tsx';
import { RequestView } from './request-view.tsx';
import { WhoAsks } from './who-asks.tsx';

/** One question: who asks, the exact request, and the possible answers. */
export function InteractionDetail({ interaction }: { interaction: Interaction }) {
  const { id, kind, tool, prompt, status, request } = interaction;
  const resolve = useResolveInteraction(id);
  const navigate = useNavigate();
  const [showsKeys, setShowsKeys] = useState(false);
  useShortcuts({
    u: () => void navigate({ to: '/approvals' }),
    '?': () => setShowsKeys(true),
  });
  const isForm = kind === 'elicitation' || kind === 'credential';
  const answers = status === 'pending' && <Answers interaction={interaction} resolve={resolve} />;
  return (
    <article className="flex flex-col gap-6">
      <header className="flex flex-col gap-3">
        <p className="flex flex-wrap items-center gap-2">
          <Badge>{kindNames[kind]}</Badge>
          <EffectBadge tool={tool} />
          {tool && kind === 'approval' && (
            <span className="text-sm text-muted">{effects[tool.effect].hint}</span>
          )}
        </p>
        <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">
          <Revealed text={tool && kind !== 'elicitation' ? tool.path : prompt} foldAt={400} />
        </h1>
        <p className="text-muted wrap-anywhere whitespace-pre-wrap">
          <Revealed text={tool && kind !== 'elicitation' ? prompt : `Asked by ${tool?.path ?? 'the run'}`} />
        </p>
        <WhoAsks interaction={interaction} />
      </header>
      {status !== 'pending' && <Settled interaction={interaction} error={resolve.error} />}
      {isForm && answers}
      <div className="grid items-start gap-5 lg:grid-cols-2">
        {request !== undefined && !isForm && (
          <section className="flex min-w-0 flex-col gap-2">
            <h2 className="text-sm font-semibold">
              {status === 'pending' ? requestTitles[kind] : 'Request'}
            </h2>
            <RequestView interaction={interaction} />
            {kind === 'approval' && status === 'pending' && asHttpRequest(request) && (
              <p className="text-xs text-muted">
                Executor adds credentials when it sends the request. They are never shown.
              </p>
            )}
          </section>
        )}
        {tool && (
          <section className="flex min-w-0 flex-col gap-2">
            <h2 className="text-sm font-semibold">What the code passed</h2>
            <InputView input={tool.input} />
          </section>
        )}
      </div>
      {!isForm && answers}
      {showsKeys && <KeysDialog keys={detailKeys} onClose={() => setShowsKeys(false)} />}
    </article>
  );
}
