import { Address } from '../../../../ui/address.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { webAddress } from '../../../../ui/split-address.ts';
import { AnswerBar } from './answer-bar.tsx';
import type { AnswersProps } from './answers-props.ts';

/** A link to another system. The page shows its host before the user follows it. */
export function OauthAnswers({ interaction, resolve }: AnswersProps) {
  const written = addressIn(interaction.request);
  const address = written === undefined ? undefined : webAddress(written);
  return (
    <>
      {address ? (
        <p className="rounded-2xl border border-line bg-surface p-5 text-sm shadow-xs">
          Open{' '}
          <a
            href={address}
            target="_blank"
            rel="noopener noreferrer"
            className="font-mono wrap-anywhere underline underline-offset-4"
          >
            <Address url={address} />
          </a>{' '}
          in another tab, then return to this page.
        </p>
      ) : (
        <Notice look="warn">The request is not a web address, so this page cannot open it.</Notice>
      )}
      <AnswerBar>
        <Button look="primary" busy={resolve.isPending} onClick={() => resolve.mutate({ action: 'submit' })}>
          Done
        </Button>
        <Button busy={resolve.isPending} onClick={() => resolve.mutate({ action: 'cancel' })}>
          Decline
        </Button>
      </AnswerBar>
    </>
  );
}

function addressIn(request: unknown): string | undefined {
  if (typeof request === 'string') return request;
  if (typeof request !== 'object' || request === null || !('url' in request)) return undefined;
  return typeof request.url === 'string' ? request.url : undefined;
}
