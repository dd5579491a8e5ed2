import type { Asker, Interaction } from './interaction.ts';

/** The questions of all runs with the same owner. */
export interface AskerGroup {
  askedBy: Asker;
  runs: RunGroup[];
  count: number;
}

export interface RunGroup {
  executionId: string;
  interactions: Interaction[];
}

/** Groups questions by their owner and run. Groups, runs and questions are ordered by age, so many new ones do not hide an older one. */
export function groupByAsker(interactions: readonly Interaction[]): AskerGroup[] {
  const groups = new Map<string, AskerGroup>();
  for (const interaction of interactions.toSorted(byAge)) {
    const { askedBy, executionId } = interaction;
    const group = groups.get(askedBy.ownerId) ?? { askedBy, runs: [], count: 0 };
    groups.set(askedBy.ownerId, group);
    group.count += 1;
    const run = group.runs.find((candidate) => candidate.executionId === executionId);
    if (run) run.interactions.push(interaction);
    else group.runs.push({ executionId, interactions: [interaction] });
  }
  return [...groups.values()];
}

/** Ids begin with the time, and tell questions of the same millisecond apart. */
function byAge(one: Interaction, other: Interaction): number {
  return one.createdAt.localeCompare(other.createdAt) || (one.id < other.id ? -1 : 1);
}

/** The owner of runs in a few words. Names are not unique, so show `ownerId` with it. */
export function askerName({ kind, ownerId, keyName }: Asker): string {
  if (keyName !== undefined) return keyName;
  if (kind === 'person') return 'A user’s own runs';
  return ownerId.startsWith('oauth_') ? 'OAuth client' : 'Agents without a key';
}

/** `1 question`, `12 questions`. */
export function questionCount(count: number): string {
  return count === 1 ? '1 question' : `${count} questions`;
}
