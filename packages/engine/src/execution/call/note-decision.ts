import type { Decision } from '../../policy/policies.ts';
import type { RunWrite } from '../../ports/execution-store.ts';
import type { SandboxCall } from '../../ports/sandbox.ts';
import type { Tool } from '../../ports/source.ts';
import type { CallContext } from './call-context.ts';

/** Journals what was decided about a call and by which rule, unless the journal says so already. */
export function noteDecision(
  { index }: Pick<SandboxCall, 'index'>,
  tool: Pick<Tool, 'effect' | 'repeatable' | 'version'>,
  { decision, reason, policyId }: Decision,
  { state, record }: Pick<CallContext, 'state' | 'record'>,
  extra: Pick<RunWrite, 'audit'> = {},
): void {
  const past = state.calls[index];
  // A call that was sent as not repeatable stays so, even if its tool has changed.
  const repeatable = tool.repeatable && (past?.attempts ?? 0) === 0;
  const noted = past?.decided;
  if (noted?.decision === decision && noted.repeatable === repeatable && noted.policyId === policyId) return;
  const event = {
    type: 'call.decided',
    ...{ index, decision, reason },
    ...(policyId && { policyId }),
    ...{ effect: tool.effect, repeatable, toolVersion: tool.version },
  } as const;
  record(event, extra);
}
