import type { PolicyDecision } from '@executor/protocol';
import type { Tool } from '../../src/ports/source.ts';
import { hashOf } from './random.ts';

type Kind = Pick<Tool, 'effect' | 'repeatable'> & { decision: PolicyDecision; asks?: boolean };

/** Tools of each kind: repeatable or not, with or without approval, with or without a question during the call. */
const kinds: Record<string, Kind> = {
  't.read': { effect: 'read', repeatable: true, decision: 'allow' },
  't.ask': { effect: 'read', repeatable: true, decision: 'allow', asks: true },
  't.put': { effect: 'write', repeatable: true, decision: 'requireApproval' },
  't.write': { effect: 'write', repeatable: false, decision: 'requireApproval' },
  't.form': { effect: 'write', repeatable: false, decision: 'requireApproval', asks: true },
  't.post': { effect: 'write', repeatable: false, decision: 'allow' },
  't.banned': { effect: 'destructive', repeatable: false, decision: 'deny' },
};

export function kindOf(path: string): Kind {
  return kinds[path] as Kind;
}

export function toolOf(path: string, version: number): Tool | undefined {
  const kind = kinds[path];
  if (!kind) return undefined;
  const { effect, repeatable } = kind;
  return {
    path,
    description: path,
    inputSchema: true,
    effect,
    repeatable,
    version: `v${version}`,
    origin: { name: path },
  };
}

/** The result of a tool, and the result that a reviewer enters for it. */
export function answerOf(path: string, site: string): unknown {
  return { v: hashOf(`${path} ${site}`) % 1_000 };
}

export function siteOf(input: unknown): string {
  return (input as { site: string }).site;
}
