import type { Interaction } from '@executor/protocol';
import type { useResolveInteraction } from '../../api/resolve-interaction.ts';

/** What the buttons and dialogs of every kind of question get. */
export interface AnswersProps {
  interaction: Interaction;
  resolve: ReturnType<typeof useResolveInteraction>;
}
