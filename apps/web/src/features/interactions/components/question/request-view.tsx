import type { Interaction } from '@executor/protocol';
import { JsonView } from '../../../../ui/json-view.tsx';
import { Revealed } from '../../../../ui/revealed.tsx';
import { Preformatted, TextBlock } from '../../../../ui/text-block.tsx';
import { asHttpRequest, isShortened } from '../../http-request.ts';
import { requestTitles } from '../../words.ts';
import { HttpRequestView } from './http-request-view.tsx';

/** The exact request. For calls without one, the input. */
export function RequestView({ interaction }: { interaction: Interaction }) {
  const { kind, request = interaction.tool?.input } = interaction;
  const http = asHttpRequest(request);
  return (
    <TextBlock label={requestTitles[kind]}>
      {http && <HttpRequestView request={http} />}
      {!http && typeof request === 'string' && (
        <Preformatted>
          <Revealed text={request} />
        </Preformatted>
      )}
      {!http && typeof request !== 'string' && <JsonView value={request} />}
      {isShortened(request) && http?.bodyNote === undefined && (
        <p className="mt-3 border-t border-line pt-3 text-sm">
          Some values are shown only by length, hash or name. The input of the code is shown in full.
        </p>
      )}
    </TextBlock>
  );
}
