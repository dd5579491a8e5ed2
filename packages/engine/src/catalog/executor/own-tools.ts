import type { Invocation, InvocationOutcome, Tool } from '../../ports/source.ts';

/** Some of what Executor itself offers to code, and what it does. */
export interface OwnTools {
  tools: Tool[];
  operations: Record<string, (invocation: Invocation) => Promise<InvocationOutcome>>;
  /** What a person is shown of an input instead of all of it. */
  previews?: Record<string, (input: unknown) => unknown>;
  /** The input itself without what is secret in it; the very same where nothing is. */
  shownInputs?: Record<string, (input: unknown) => unknown>;
}

/** What most of them are. */
export const own = { effect: 'read', repeatable: true, version: '1', origin: { name: 'executor' } } as const;
