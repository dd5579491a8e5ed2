import { Message } from '../../../../ui/message.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import type { AnswersProps } from './answers-props.ts';
import { ApprovalAnswers } from './approval-answers.tsx';
import { FormAnswers } from './form-answers.tsx';
import { OauthAnswers } from './oauth-answers.tsx';
import { ReconcileAnswers } from './reconcile-answers.tsx';

/**
 * The answers to a question, below the server's error message. `contents` gives the section no box, because the sticky bar stays visible
 * only within the box around it, which must be the whole page.
 */
export function Answers({ interaction, resolve }: AnswersProps) {
  const Kind = answersOf[interaction.kind];
  return (
    <section aria-label="Your answer" className="contents">
      {resolve.error && (
        <Notice look="danger">
          <Message text={resolve.error.message} />
        </Notice>
      )}
      <Kind interaction={interaction} resolve={resolve} />
    </section>
  );
}

const answersOf = {
  approval: ApprovalAnswers,
  elicitation: FormAnswers,
  credential: FormAnswers,
  oauth: OauthAnswers,
  reconcile: ReconcileAnswers,
};
