import type { InteractionRow, ResolutionRow } from '../ports/interaction-store.ts';
import type { NewEvent } from '../ports/journal-event.ts';

/** The journal event of an answer. */
export function resolvedEvent(
  { id, callIndex }: Pick<InteractionRow, 'id' | 'callIndex'>,
  { resolution, at }: { resolution: ResolutionRow; at: Date },
): NewEvent {
  const { action, actorId, scope, reason, data } = resolution;
  return {
    type: 'interaction.resolved',
    at,
    index: callIndex,
    interactionId: id,
    action,
    actorId,
    ...(scope !== undefined && { scope }),
    ...(reason !== undefined && { reason }),
    ...(data !== undefined && { data }),
  };
}
