import { ExecutorError, type Interaction, printable, type Resolution } from '@executor/protocol';
import { ago } from '../output.ts';
import type { SteadyServer } from '../run/steady-server.ts';
import type { PresenceProof } from './presence-proof.ts';

export type Resolved =
  | { type: 'resolved'; interaction: Interaction }
  /** Somebody else was first, or it is no longer asked. */
  | { type: 'lost'; message: string; interaction: Interaction | undefined };

/** Answers an interaction. A second answer changes nothing, and is told whose the first was. */
export async function resolveInteraction(
  server: SteadyServer,
  proof: PresenceProof,
  { id, ...resolution }: { id: string } & Resolution,
): Promise<Resolved> {
  try {
    const interaction = await proof.for((presence) =>
      server.request((client) => client.interactions.resolve({ id, ...resolution }, { presence })),
    );
    return { type: 'resolved', interaction };
  } catch (error) {
    if (!(error instanceof ExecutorError) || (error.code !== 'conflict' && error.code !== 'gone'))
      throw error;
    const interaction = await server.client.interactions.get({ id }).catch(() => undefined);
    return { type: 'lost', message: lostSentence(interaction, error), interaction };
  }
}

/** Whose answer stands, and since when. */
function lostSentence(interaction: Interaction | undefined, error: { message: string }): string {
  if (interaction?.resolution === undefined) return printable(error.message);
  const { action, actorId, reason } = interaction.resolution;
  const why = reason ? ` (${reason})` : '';
  return printable(
    `It was answered before: ${past[action]} by ${actorId} ${ago(interaction.resolvedAt)}${why}. That answer stands.`,
  );
}

export const past: Record<Resolution['action'], string> = {
  approve: 'approved',
  deny: 'denied',
  submit: 'answered',
  cancel: 'declined',
  retry: 'sent again',
  complete: 'given its result',
  fail: 'failed',
};
