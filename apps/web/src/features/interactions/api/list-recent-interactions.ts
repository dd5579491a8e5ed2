import type { Client } from '@executor/client';
import type { Interaction } from '@executor/protocol';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

const maxRead = 50;
const maxShown = 10;

/** Recently answered questions, last answer first. Withdrawn questions are left out. */
export function useRecentInteractions() {
  const client = useClient();
  return useQuery({
    queryKey: ['workspace', 'interactions', 'recent'],
    async queryFn() {
      const { items } = await client.interactions.list({ status: 'resolved', limit: maxRead });
      const recent = items.sort((a, b) => answeredAt(b).localeCompare(answeredAt(a))).slice(0, maxShown);
      return Promise.all(recent.map((item) => withOutcome(client, item)));
    },
  });
}

/** The list does not say whether an approved call was sent. Only the question itself does. */
async function withOutcome(client: Client, interaction: Interaction): Promise<Interaction> {
  if (interaction.resolution?.action !== 'approve') return interaction;
  // A question that cannot be read must not hide the others.
  return client.interactions.get({ id: interaction.id }).catch(() => interaction);
}

function answeredAt({ resolvedAt, createdAt }: Interaction): string {
  return resolvedAt ?? createdAt;
}
