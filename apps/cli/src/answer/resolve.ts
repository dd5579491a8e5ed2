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
  /** Somebody else was first, or it is no longer asked. */
  | { type: 'lost'; message: string; interaction: Interaction | undefined };

/**
 * Answers an interaction. A second answer changes nothing, and is told whose the first was; where the first is this very answer, which
 * came through although nothing came back, it is as good as new.
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

/** Answers several in the same way: which of them are lost, and why. */
export async function resolveSeveral(
  server: SteadyServer,
  proof: PresenceProof,
  { ids, ...resolution }: ResolutionOfSeveral,
): Promise<{ id: string; message: string }[]> {
  const lost: { id: string; message: string }[] = [];
  for (let from = 0; from < ids.length; from += maxAtOnce) {
    const some = { ids: ids.slice(from, from + maxAtOnce), ...resolution };
    lost.push(...(await resolveSome(server, proof, some)));
  }
  return lost;
}

/** As many as one request takes. */
const maxAtOnce = 500;

async function resolveSome(
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
  { resolution: given }: Interaction,
  { action }: Resolution,
): Promise<boolean> {
  if (given?.action !== action || given.dialogOf !== undefined) return false;
  const me = await client.me.get().catch(() => undefined);
  return me?.actor.id === given.actorId;
}

/** Whose answer stands, and since when. */
function lostSentence(interaction: Interaction | undefined, error: { message: string }): string {
  if (interaction?.resolution === undefined) return printable(error.message);
  const { reason } = interaction.resolution;
  return printable(`${error.message}${reason ? ` The reason given: ${reason}` : ''}`);
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
  complete: 'given its result',
  fail: 'failed',
};
