import {
  ExecutorError,
  type Interaction,
  outcomeSentence,
  printable,
  type Resolution,
  type ResolutionOfSeveral,
} from '@executor/protocol';
import type { SteadyServer } from '../run/steady-server.ts';
import type { PresenceProof } from './presence-proof.ts';

export type Resolved =
  | { type: 'resolved'; interaction: Interaction }
  /** The question was answered by somebody else, or withdrawn. */
  | { type: 'lost'; message: string; interaction: Interaction | undefined };

/**
 * Answers an interaction. A second answer changes nothing, and its error names the first. If the first answer is this one, whose response
 * was lost, it counts as accepted.
 */
export async function resolveInteraction(
  server: SteadyServer,
  proof: PresenceProof,
  { id, ...resolution }: { id: string } & Resolution,
): Promise<Resolved> {
  let repeated = false;
  try {
    const interaction = await proof.for((presence) =>
      server.request((client, attempt) => {
        repeated ||= attempt.repeated;
        return client.interactions.resolve({ id, ...resolution }, { presence });
      }),
    );
    return { type: 'resolved', interaction };
  } catch (error) {
    if (!(error instanceof ExecutorError) || (error.code !== 'conflict' && error.code !== 'gone'))
      throw error;
    const interaction = await server.client.interactions.get({ id }).catch(() => undefined);
    if (interaction && repeated && (await isOwnAnswer(server, interaction, resolution)))
      return { type: 'resolved', interaction };
    return { type: 'lost', message: lostSentence(interaction, error), interaction };
  }
}

/** Gives several interactions the same answer. Returns those that were not accepted, and why. */
export async function resolveSeveral(
  server: SteadyServer,
  proof: PresenceProof,
  { ids, ...resolution }: ResolutionOfSeveral,
): Promise<{ id: string; message: string }[]> {
  const lost: { id: string; message: string }[] = [];
  for (let from = 0; from < ids.length; from += maxAtOnce) {
    const batch = { ids: ids.slice(from, from + maxAtOnce), ...resolution };
    lost.push(...(await resolveBatch(server, proof, batch)));
  }
  return lost;
}

/** The maximum of one request. */
const maxAtOnce = 500;

async function resolveBatch(
  server: SteadyServer,
  proof: PresenceProof,
  { ids, ...resolution }: ResolutionOfSeveral,
): Promise<{ id: string; message: string }[]> {
  let repeated = false;
  const { items } = await proof.for((presence) =>
    server.request((client, attempt) => {
      repeated ||= attempt.repeated;
      return client.interactions.resolveSeveral({ ids, ...resolution }, { presence });
    }),
  );
  const lost: { id: string; message: string }[] = [];
  for (const { id, error } of items) {
    if (error === undefined) continue;
    const interaction = repeated
      ? await server.client.interactions.get({ id }).catch(() => undefined)
      : undefined;
    if (interaction && (await isOwnAnswer(server, interaction, resolution))) continue;
    lost.push({ id, message: printable(error.message) });
  }
  return lost;
}

async function isOwnAnswer(
  { client }: SteadyServer,
  { resolution: first }: Interaction,
  { action }: Resolution,
): Promise<boolean> {
  if (first?.action !== action || first.dialogOf !== undefined) return false;
  const me = await client.me.get().catch(() => undefined);
  return me?.actor.id === first.actorId;
}

/** Says whose answer was first. */
function lostSentence(interaction: Interaction | undefined, error: { message: string }): string {
  if (interaction?.resolution === undefined) return printable(error.message);
  const { reason } = interaction.resolution;
  return printable(`${error.message}${reason ? ` Reason: ${reason}` : ''}`);
}

/** What happened to an approved call, if it did not simply succeed. */
export function outcomeText({ outcome }: Interaction): string {
  if (outcome === undefined || outcome.status === 'sent' || outcome.status === 'succeeded') return '';
  return printable(`. ${outcomeSentence(outcome)}`);
}

export const past: Record<Resolution['action'], string> = {
  approve: 'approved',
  deny: 'denied',
  submit: 'answered',
  cancel: 'declined',
  retry: 'sent again',
  complete: 'completed with its result',
  fail: 'failed',
};
