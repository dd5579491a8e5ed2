import type { Client } from '@executor/client';

/** The name of an actor, or its id if the server does not publish the name: a client can read its own name only. */
export type NameOf = (actorId: string) => string;

export async function readActorNames(client: Client): Promise<NameOf> {
  const { actor } = await client.me.get();
  return (actorId) => (actorId === actor.id ? actor.name : actorId);
}
