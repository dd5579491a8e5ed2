import { ExecutorError, type PolicyDecision } from '@executor/protocol';

/** What a rule decides, in the words that people use for it. */
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
  throw new ExecutorError(
    'usage',
    `A rule decides allow, ask (which is requireApproval) or deny, got "${word}".`,
  );
}
