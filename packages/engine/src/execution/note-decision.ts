import type { Decision } from '../policy/policies.ts';
import type { SandboxCall } from '../ports/sandbox.ts';
import type { Tool } from '../ports/source.ts';
import type { CallContext } from './call-context.ts';

/** Writes into the journal what was decided about a call and by which rule, where that is not what stands there already. */
export function noteDecision(
  { index }: Pick<SandboxCall, 'index'>,
  tool: Pick<Tool, 'effect' | 'repeatable' | 'version'>,
  { decision, reason, policyId }: Decision,
  { state, record }: Pick<CallContext, 'state' | 'record'>,
): void {
  const past = state.calls[index];
  // One that left as not safe to repeat stays so, whatever its tool has become.
  const repeatable = tool.repeatable && (past?.attempts ?? 0) === 0;
  const noted = past?.decided;
  if (noted?.decision === decision && noted.repeatable === repeatable && noted.policyId === policyId) return;
  record({
    type: 'call.decided',
    index,
    decision,
    reason,
    ...(policyId && { policyId }),
    effect: tool.effect,
    repeatable,
    toolVersion: tool.version,
  });
}
