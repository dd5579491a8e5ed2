import { readFileSync } from 'node:fs';
import type { Client } from '@executor/client';
import { judge } from './judge.ts';
import { type ClientHabits, McpSession, type Measured } from './mcp-session.ts';
import type { Agent, AgentTask } from './task.ts';
import type { Services } from './world.ts';

export const groups = ['open', 'github', 'sealed'] as const;
export type Group = (typeof groups)[number];

export function tasksOf(group: Group): AgentTask[] {
  return JSON.parse(readFileSync(new URL(`tasks/${group}.json`, import.meta.url), 'utf8'));
}

/**
 * The clients that the tasks have in turn. Of eight agent programs in a trial, three showed their model no instructions
 * of a server, and two cut descriptions at 160 characters.
 */
const clients: ClientHabits[] = [
  ...Array(3).fill({ showsInstructions: false, maxDescription: 10_000 }),
  ...Array(2).fill({ showsInstructions: true, maxDescription: 160 }),
  ...Array(3).fill({ showsInstructions: true, maxDescription: 10_000 }),
];

export interface TaskReport extends Measured {
  id: string;
  finished: boolean;
  seconds: number;
  /** Why the task is not finished. */
  reason?: string;
  transcript: McpSession['transcript'];
}

interface Running {
  url: string;
  user: Client;
  services: Services;
  agent: Agent;
}

/** Runs a task from fresh data. The index in its group decides which client it has and which slip its agent makes. */
export async function runTask(
  task: AgentTask,
  index: number,
  { url, user, services, agent }: Running,
): Promise<TaskReport> {
  services.reset();
  const before = services.snapshot();
  const clientHabits = clients[index % clients.length] as ClientHabits;
  const session = await McpSession.connect({ url, user, clientHabits, userDenies: task.user === 'denies' });
  const startedAt = performance.now();
  try {
    const answer = await agent(task, session, { forgetsToAwait: index % 2 === 1 });
    const reason = judge(task, answer, { before, after: services.snapshot() });
    const seconds = (performance.now() - startedAt) / 1000;
    const { transcript, measured } = session;
    return {
      id: task.id,
      finished: reason === undefined,
      seconds,
      ...(reason !== undefined && { reason }),
      ...measured,
      transcript,
    };
  } finally {
    await session.close();
  }
}
