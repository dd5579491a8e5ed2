import { ExecutorError, type PolicyDecision } from '@executor/protocol';

/** The words that users may type for a decision. */
const spellings: Record<string, PolicyDecision> = {
  allow: 'allow',
  requireapproval: 'requireApproval',
  approve: 'requireApproval',
  approval: 'requireApproval',
  ask: 'requireApproval',
  deny: 'deny',
  block: 'deny',
};

export function parseDecision(word: string): PolicyDecision {
  const decision = spellings[word.toLowerCase().replace(/[-_\s]/g, '')];
  if (decision !== undefined) return decision;
  throw new ExecutorError('usage', `A decision is allow, ask or deny, got "${word}".`);
}
